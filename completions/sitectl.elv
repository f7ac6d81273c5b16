
use builtin;
use str;

set edit:completion:arg-completer[sitectl] = {|@words|
    fn spaces {|n|
        builtin:repeat $n ' ' | str:join ''
    }
    fn cand {|text desc|
        edit:complex-candidate $text &display=$text' '(spaces (- 14 (wcswidth $text)))$desc
    }
    var command = 'sitectl'
    for word $words[1..-1] {
        if (str:has-prefix $word '-') {
            break
        }
        set command = $command';'$word
    }
    var completions = [
        &'sitectl'= {
            cand --profile 'Use this profile of the config file [env: SITECTL_PROFILE]'
            cand --base-url 'The service''s address, ends in /api/v6 [env: SITECTL_BASE_URL, and SITECTL_TOKEN for the token]'
            cand --ca-cert 'Trust the certificates in this PEM file, in place of the system''s [env: SSL_CERT_FILE]'
            cand -o 'How to print the result [env: SITECTL_OUTPUT] [default: table]'
            cand --output 'How to print the result [env: SITECTL_OUTPUT] [default: table]'
            cand --fields 'Print these fields, in this order; a field inside another is a.b'
            cand --jq 'Filter the JSON result with jq; strings print raw'
            cand --color 'When to use colour [env: NO_COLOR, CLICOLOR_FORCE]'
            cand --request-timeout 'The longest that one request may take [default: 30s]'
            cand --retries 'How often a request that may be repeated is tried again [default: 4]'
            cand --sandbox 'Run against the embedded practice service [env: SITECTL_SANDBOX=1]'
            cand --json 'The same as --output json'
            cand --no-header 'Leave out the header row of table and csv'
            cand -q 'No progress, no hints; errors still print'
            cand --quiet 'No progress, no hints; errors still print'
            cand -v 'Show each HTTP exchange on stderr; twice for headers and bodies'
            cand --verbose 'Show each HTTP exchange on stderr; twice for headers and bodies'
            cand --no-input 'Never ask anything; implied where stdin is not a terminal'
            cand -h 'Print help'
            cand --help 'Print help'
            cand -V 'Print version'
            cand --version 'Print version'
            cand clients 'List, show and change the clients whose sites are managed'
            cand managed-accounts 'List and show the accounts of others that this account may use'
            cand restore 'Start restores of sites and watch them to their end'
            cand tasks 'Show background tasks'
            cand sites 'List the sites of the account'
            cand snapshots 'List the snapshots of a site'
            cand api 'Send a request by hand, to any area of the service'
            cand sandbox 'Practise on a local service that keeps the rules of the real one'
            cand auth 'Save the address and token of a service, and see whether they are accepted'
            cand profiles 'List, choose and remove the profiles of the config file'
            cand completions 'Print the completion script for a shell'
            cand explain 'Explain an error by its kind, its exit code or the code of one of its details'
            cand help 'Print this message or the help of the given subcommand(s)'
        }
        &'sitectl;clients'= {
            cand --profile 'Use this profile of the config file [env: SITECTL_PROFILE]'
            cand --base-url 'The service''s address, ends in /api/v6 [env: SITECTL_BASE_URL, and SITECTL_TOKEN for the token]'
            cand --ca-cert 'Trust the certificates in this PEM file, in place of the system''s [env: SSL_CERT_FILE]'
            cand -o 'How to print the result [env: SITECTL_OUTPUT] [default: table]'
            cand --output 'How to print the result [env: SITECTL_OUTPUT] [default: table]'
            cand --fields 'Print these fields, in this order; a field inside another is a.b'
            cand --jq 'Filter the JSON result with jq; strings print raw'
            cand --color 'When to use colour [env: NO_COLOR, CLICOLOR_FORCE]'
            cand --request-timeout 'The longest that one request may take [default: 30s]'
            cand --retries 'How often a request that may be repeated is tried again [default: 4]'
            cand --sandbox 'Run against the embedded practice service [env: SITECTL_SANDBOX=1]'
            cand --json 'The same as --output json'
            cand --no-header 'Leave out the header row of table and csv'
            cand -q 'No progress, no hints; errors still print'
            cand --quiet 'No progress, no hints; errors still print'
            cand -v 'Show each HTTP exchange on stderr; twice for headers and bodies'
            cand --verbose 'Show each HTTP exchange on stderr; twice for headers and bodies'
            cand --no-input 'Never ask anything; implied where stdin is not a terminal'
            cand -h 'Print help'
            cand --help 'Print help'
            cand apply 'Make the account''s clients match a file: create, update and, with --prune, delete them'
            cand create 'Create a client. On a terminal, what is missing is asked for'
            cand delete 'Delete clients; their sites stay, and belong to no client'
            cand list 'List clients: all of them, newest first, or those that match'
            cand show 'Show one client, all its fields'
            cand update 'Change a client''s details, note or sites; what is not named stays as it is'
            cand help 'Print this message or the help of the given subcommand(s)'
        }
        &'sitectl;clients;apply'= {
            cand --input-format 'The format of the file [default: by its name, else by what is in it]'
            cand --confirm 'The profile that is meant: answers where a protected one asks for its name; refused where another is in use'
            cand --failed-to 'Write the rows that failed, if any, to this file, in the format of the input; it is replaced'
            cand --concurrency 'Changes sent at the same time'
            cand --profile 'Use this profile of the config file [env: SITECTL_PROFILE]'
            cand --base-url 'The service''s address, ends in /api/v6 [env: SITECTL_BASE_URL, and SITECTL_TOKEN for the token]'
            cand --ca-cert 'Trust the certificates in this PEM file, in place of the system''s [env: SSL_CERT_FILE]'
            cand -o 'How to print the result [env: SITECTL_OUTPUT] [default: table]'
            cand --output 'How to print the result [env: SITECTL_OUTPUT] [default: table]'
            cand --fields 'Print these fields, in this order; a field inside another is a.b'
            cand --jq 'Filter the JSON result with jq; strings print raw'
            cand --color 'When to use colour [env: NO_COLOR, CLICOLOR_FORCE]'
            cand --request-timeout 'The longest that one request may take [default: 30s]'
            cand --retries 'How often a request that may be repeated is tried again [default: 4]'
            cand --dry-run 'Print what would change, and change nothing'
            cand --prune 'Delete the clients that are not in the file (a pipe that breaks off looks like a short file)'
            cand -y 'Do not ask; a protected profile still asks for its name'
            cand --yes 'Do not ask; a protected profile still asks for its name'
            cand --sandbox 'Run against the embedded practice service [env: SITECTL_SANDBOX=1]'
            cand --json 'The same as --output json'
            cand --no-header 'Leave out the header row of table and csv'
            cand -q 'No progress, no hints; errors still print'
            cand --quiet 'No progress, no hints; errors still print'
            cand -v 'Show each HTTP exchange on stderr; twice for headers and bodies'
            cand --verbose 'Show each HTTP exchange on stderr; twice for headers and bodies'
            cand --no-input 'Never ask anything; implied where stdin is not a terminal'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
        }
        &'sitectl;clients;create'= {
            cand --first-name 'First name, at most 255 characters'
            cand --last-name 'Last name, at most 255 characters'
            cand --email 'Email, which no other client may have'
            cand --company-name 'Company name, at most 255 characters'
            cand --address 'Postal address, at most 2000 characters'
            cand --note 'Anything worth remembering, at most 5000 characters'
            cand --from-file 'Take the fields from a JSON object in a file, or - for stdin; flags go before it'
            cand --site 'A site to group under the client; can be given several times'
            cand --if-exists 'What to do where a client with this email is there already'
            cand --confirm 'The profile that is meant: answers where a protected one asks for its name; refused where another is in use'
            cand --profile 'Use this profile of the config file [env: SITECTL_PROFILE]'
            cand --base-url 'The service''s address, ends in /api/v6 [env: SITECTL_BASE_URL, and SITECTL_TOKEN for the token]'
            cand --ca-cert 'Trust the certificates in this PEM file, in place of the system''s [env: SSL_CERT_FILE]'
            cand -o 'How to print the result [env: SITECTL_OUTPUT] [default: table]'
            cand --output 'How to print the result [env: SITECTL_OUTPUT] [default: table]'
            cand --fields 'Print these fields, in this order; a field inside another is a.b'
            cand --jq 'Filter the JSON result with jq; strings print raw'
            cand --color 'When to use colour [env: NO_COLOR, CLICOLOR_FORCE]'
            cand --request-timeout 'The longest that one request may take [default: 30s]'
            cand --retries 'How often a request that may be repeated is tried again [default: 4]'
            cand --sandbox 'Run against the embedded practice service [env: SITECTL_SANDBOX=1]'
            cand --json 'The same as --output json'
            cand --no-header 'Leave out the header row of table and csv'
            cand -q 'No progress, no hints; errors still print'
            cand --quiet 'No progress, no hints; errors still print'
            cand -v 'Show each HTTP exchange on stderr; twice for headers and bodies'
            cand --verbose 'Show each HTTP exchange on stderr; twice for headers and bodies'
            cand --no-input 'Never ask anything; implied where stdin is not a terminal'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
        }
        &'sitectl;clients;delete'= {
            cand --from-file 'A file of ids or emails, one a line'
            cand --confirm 'The profile that is meant: answers where a protected one asks for its name; refused where another is in use'
            cand --profile 'Use this profile of the config file [env: SITECTL_PROFILE]'
            cand --base-url 'The service''s address, ends in /api/v6 [env: SITECTL_BASE_URL, and SITECTL_TOKEN for the token]'
            cand --ca-cert 'Trust the certificates in this PEM file, in place of the system''s [env: SSL_CERT_FILE]'
            cand -o 'How to print the result [env: SITECTL_OUTPUT] [default: table]'
            cand --output 'How to print the result [env: SITECTL_OUTPUT] [default: table]'
            cand --fields 'Print these fields, in this order; a field inside another is a.b'
            cand --jq 'Filter the JSON result with jq; strings print raw'
            cand --color 'When to use colour [env: NO_COLOR, CLICOLOR_FORCE]'
            cand --request-timeout 'The longest that one request may take [default: 30s]'
            cand --retries 'How often a request that may be repeated is tried again [default: 4]'
            cand -y 'Do not ask; a protected profile still asks for its name'
            cand --yes 'Do not ask; a protected profile still asks for its name'
            cand --ignore-not-found 'A client that does not exist is no error'
            cand --sandbox 'Run against the embedded practice service [env: SITECTL_SANDBOX=1]'
            cand --json 'The same as --output json'
            cand --no-header 'Leave out the header row of table and csv'
            cand -q 'No progress, no hints; errors still print'
            cand --quiet 'No progress, no hints; errors still print'
            cand -v 'Show each HTTP exchange on stderr; twice for headers and bodies'
            cand --verbose 'Show each HTTP exchange on stderr; twice for headers and bodies'
            cand --no-input 'Never ask anything; implied where stdin is not a terminal'
            cand -h 'Print help'
            cand --help 'Print help'
        }
        &'sitectl;clients;list'= {
            cand --search 'Text in the first or last name, email or company name'
            cand --first-name 'Text in the first name'
            cand --last-name 'Text in the last name'
            cand --email 'Text in the email'
            cand --company-name 'Text in the company name'
            cand --created-since 'Created at or after this time, date or age (12h, 7d)'
            cand --created-until 'Created at or before this time, date or age'
            cand --updated-since 'Changed at or after this time, date or age (12h, 7d)'
            cand --updated-until 'Changed at or before this time, date or age'
            cand --filter 'Only records for which all of these hold [possible filters: search:contains, first_name:contains, last_name:contains, email:contains, company_name:contains, created_at:gte|lte, updated_at:gte|lte]'
            cand --sort 'Order by a field, asc unless said otherwise [possible fields: first_name, last_name, email, company_name, created_at, updated_at]'
            cand --timezone 'Time zone of dates in created_at filters, such as Europe/Berlin'
            cand --limit 'Stop after N records'
            cand --page 'Only this page, counted from 1'
            cand --per-page 'Rows in a page [default: as many as are needed, up to 1000]'
            cand --concurrency 'Pages that are fetched at a time [default: 8]'
            cand --profile 'Use this profile of the config file [env: SITECTL_PROFILE]'
            cand --base-url 'The service''s address, ends in /api/v6 [env: SITECTL_BASE_URL, and SITECTL_TOKEN for the token]'
            cand --ca-cert 'Trust the certificates in this PEM file, in place of the system''s [env: SSL_CERT_FILE]'
            cand -o 'How to print the result [env: SITECTL_OUTPUT] [default: table]'
            cand --output 'How to print the result [env: SITECTL_OUTPUT] [default: table]'
            cand --fields 'Print these fields, in this order; a field inside another is a.b'
            cand --jq 'Filter the JSON result with jq; strings print raw'
            cand --color 'When to use colour [env: NO_COLOR, CLICOLOR_FORCE]'
            cand --request-timeout 'The longest that one request may take [default: 30s]'
            cand --retries 'How often a request that may be repeated is tried again [default: 4]'
            cand --verify 'Read until two readings agree: finds also what totals cannot show'
            cand --sandbox 'Run against the embedded practice service [env: SITECTL_SANDBOX=1]'
            cand --json 'The same as --output json'
            cand --no-header 'Leave out the header row of table and csv'
            cand -q 'No progress, no hints; errors still print'
            cand --quiet 'No progress, no hints; errors still print'
            cand -v 'Show each HTTP exchange on stderr; twice for headers and bodies'
            cand --verbose 'Show each HTTP exchange on stderr; twice for headers and bodies'
            cand --no-input 'Never ask anything; implied where stdin is not a terminal'
            cand -h 'Print help'
            cand --help 'Print help'
        }
        &'sitectl;clients;show'= {
            cand --profile 'Use this profile of the config file [env: SITECTL_PROFILE]'
            cand --base-url 'The service''s address, ends in /api/v6 [env: SITECTL_BASE_URL, and SITECTL_TOKEN for the token]'
            cand --ca-cert 'Trust the certificates in this PEM file, in place of the system''s [env: SSL_CERT_FILE]'
            cand -o 'How to print the result [env: SITECTL_OUTPUT] [default: table]'
            cand --output 'How to print the result [env: SITECTL_OUTPUT] [default: table]'
            cand --fields 'Print these fields, in this order; a field inside another is a.b'
            cand --jq 'Filter the JSON result with jq; strings print raw'
            cand --color 'When to use colour [env: NO_COLOR, CLICOLOR_FORCE]'
            cand --request-timeout 'The longest that one request may take [default: 30s]'
            cand --retries 'How often a request that may be repeated is tried again [default: 4]'
            cand --sandbox 'Run against the embedded practice service [env: SITECTL_SANDBOX=1]'
            cand --json 'The same as --output json'
            cand --no-header 'Leave out the header row of table and csv'
            cand -q 'No progress, no hints; errors still print'
            cand --quiet 'No progress, no hints; errors still print'
            cand -v 'Show each HTTP exchange on stderr; twice for headers and bodies'
            cand --verbose 'Show each HTTP exchange on stderr; twice for headers and bodies'
            cand --no-input 'Never ask anything; implied where stdin is not a terminal'
            cand -h 'Print help'
            cand --help 'Print help'
        }
        &'sitectl;clients;update'= {
            cand --first-name 'First name, at most 255 characters'
            cand --last-name 'Last name, at most 255 characters'
            cand --email 'Email, which no other client may have'
            cand --company-name 'Company name, at most 255 characters'
            cand --address 'Postal address, at most 2000 characters'
            cand --note 'Anything worth remembering, at most 5000 characters'
            cand --from-file 'Take the fields from a JSON object in a file, or - for stdin; flags go before it'
            cand --add-site 'Group this site under the client too; can be given several times'
            cand --remove-site 'Take this site from the client; can be given several times'
            cand --set-site 'Group exactly these sites under the client; can be given several times'
            cand --confirm 'The profile that is meant: answers where a protected one asks for its name; refused where another is in use'
            cand --profile 'Use this profile of the config file [env: SITECTL_PROFILE]'
            cand --base-url 'The service''s address, ends in /api/v6 [env: SITECTL_BASE_URL, and SITECTL_TOKEN for the token]'
            cand --ca-cert 'Trust the certificates in this PEM file, in place of the system''s [env: SSL_CERT_FILE]'
            cand -o 'How to print the result [env: SITECTL_OUTPUT] [default: table]'
            cand --output 'How to print the result [env: SITECTL_OUTPUT] [default: table]'
            cand --fields 'Print these fields, in this order; a field inside another is a.b'
            cand --jq 'Filter the JSON result with jq; strings print raw'
            cand --color 'When to use colour [env: NO_COLOR, CLICOLOR_FORCE]'
            cand --request-timeout 'The longest that one request may take [default: 30s]'
            cand --retries 'How often a request that may be repeated is tried again [default: 4]'
            cand --clear-sites 'Take all sites from the client'
            cand --sandbox 'Run against the embedded practice service [env: SITECTL_SANDBOX=1]'
            cand --json 'The same as --output json'
            cand --no-header 'Leave out the header row of table and csv'
            cand -q 'No progress, no hints; errors still print'
            cand --quiet 'No progress, no hints; errors still print'
            cand -v 'Show each HTTP exchange on stderr; twice for headers and bodies'
            cand --verbose 'Show each HTTP exchange on stderr; twice for headers and bodies'
            cand --no-input 'Never ask anything; implied where stdin is not a terminal'
            cand -h 'Print help'
            cand --help 'Print help'
        }
        &'sitectl;clients;help'= {
            cand apply 'Make the account''s clients match a file: create, update and, with --prune, delete them'
            cand create 'Create a client. On a terminal, what is missing is asked for'
            cand delete 'Delete clients; their sites stay, and belong to no client'
            cand list 'List clients: all of them, newest first, or those that match'
            cand show 'Show one client, all its fields'
            cand update 'Change a client''s details, note or sites; what is not named stays as it is'
            cand help 'Print this message or the help of the given subcommand(s)'
        }
        &'sitectl;clients;help;apply'= {
        }
        &'sitectl;clients;help;create'= {
        }
        &'sitectl;clients;help;delete'= {
        }
        &'sitectl;clients;help;list'= {
        }
        &'sitectl;clients;help;show'= {
        }
        &'sitectl;clients;help;update'= {
        }
        &'sitectl;clients;help;help'= {
        }
        &'sitectl;managed-accounts'= {
            cand --profile 'Use this profile of the config file [env: SITECTL_PROFILE]'
            cand --base-url 'The service''s address, ends in /api/v6 [env: SITECTL_BASE_URL, and SITECTL_TOKEN for the token]'
            cand --ca-cert 'Trust the certificates in this PEM file, in place of the system''s [env: SSL_CERT_FILE]'
            cand -o 'How to print the result [env: SITECTL_OUTPUT] [default: table]'
            cand --output 'How to print the result [env: SITECTL_OUTPUT] [default: table]'
            cand --fields 'Print these fields, in this order; a field inside another is a.b'
            cand --jq 'Filter the JSON result with jq; strings print raw'
            cand --color 'When to use colour [env: NO_COLOR, CLICOLOR_FORCE]'
            cand --request-timeout 'The longest that one request may take [default: 30s]'
            cand --retries 'How often a request that may be repeated is tried again [default: 4]'
            cand --sandbox 'Run against the embedded practice service [env: SITECTL_SANDBOX=1]'
            cand --json 'The same as --output json'
            cand --no-header 'Leave out the header row of table and csv'
            cand -q 'No progress, no hints; errors still print'
            cand --quiet 'No progress, no hints; errors still print'
            cand -v 'Show each HTTP exchange on stderr; twice for headers and bodies'
            cand --verbose 'Show each HTTP exchange on stderr; twice for headers and bodies'
            cand --no-input 'Never ask anything; implied where stdin is not a terminal'
            cand -h 'Print help'
            cand --help 'Print help'
            cand list 'List managed accounts and invitations: all of them, newest first, or those that match'
            cand show 'Show one managed account, all its fields'
            cand help 'Print this message or the help of the given subcommand(s)'
        }
        &'sitectl;managed-accounts;list'= {
            cand --email 'Text in the owner''s email'
            cand --role 'The caller''s role; several, separated by commas [possible values: collaborator, administrator, co_owner]'
            cand --company-name 'Text in the company name'
            cand --status 'The status; several, separated by commas [possible values: pending, connected]'
            cand --all-sites-access 'Whether access covers every site'
            cand --created-since 'Created at or after this time, date or age (12h, 7d)'
            cand --created-until 'Created at or before this time, date or age'
            cand --updated-since 'Changed at or after this time, date or age (12h, 7d)'
            cand --updated-until 'Changed at or before this time, date or age'
            cand --filter 'Only records for which all of these hold [possible filters: email:contains, role:eq|in, company_name:contains, status:eq|in, all_sites_access:eq, created_at:gte|lte, updated_at:gte|lte]'
            cand --sort 'Order by a field, asc unless said otherwise [possible fields: status, created_at, updated_at]'
            cand --timezone 'Time zone of dates in created_at filters, such as Europe/Berlin'
            cand --limit 'Stop after N records'
            cand --page 'Only this page, counted from 1'
            cand --per-page 'Rows in a page [default: as many as are needed, up to 1000]'
            cand --concurrency 'Pages that are fetched at a time [default: 8]'
            cand --profile 'Use this profile of the config file [env: SITECTL_PROFILE]'
            cand --base-url 'The service''s address, ends in /api/v6 [env: SITECTL_BASE_URL, and SITECTL_TOKEN for the token]'
            cand --ca-cert 'Trust the certificates in this PEM file, in place of the system''s [env: SSL_CERT_FILE]'
            cand -o 'How to print the result [env: SITECTL_OUTPUT] [default: table]'
            cand --output 'How to print the result [env: SITECTL_OUTPUT] [default: table]'
            cand --fields 'Print these fields, in this order; a field inside another is a.b'
            cand --jq 'Filter the JSON result with jq; strings print raw'
            cand --color 'When to use colour [env: NO_COLOR, CLICOLOR_FORCE]'
            cand --request-timeout 'The longest that one request may take [default: 30s]'
            cand --retries 'How often a request that may be repeated is tried again [default: 4]'
            cand --verify 'Read until two readings agree: finds also what totals cannot show'
            cand --sandbox 'Run against the embedded practice service [env: SITECTL_SANDBOX=1]'
            cand --json 'The same as --output json'
            cand --no-header 'Leave out the header row of table and csv'
            cand -q 'No progress, no hints; errors still print'
            cand --quiet 'No progress, no hints; errors still print'
            cand -v 'Show each HTTP exchange on stderr; twice for headers and bodies'
            cand --verbose 'Show each HTTP exchange on stderr; twice for headers and bodies'
            cand --no-input 'Never ask anything; implied where stdin is not a terminal'
            cand -h 'Print help'
            cand --help 'Print help'
        }
        &'sitectl;managed-accounts;show'= {
            cand --profile 'Use this profile of the config file [env: SITECTL_PROFILE]'
            cand --base-url 'The service''s address, ends in /api/v6 [env: SITECTL_BASE_URL, and SITECTL_TOKEN for the token]'
            cand --ca-cert 'Trust the certificates in this PEM file, in place of the system''s [env: SSL_CERT_FILE]'
            cand -o 'How to print the result [env: SITECTL_OUTPUT] [default: table]'
            cand --output 'How to print the result [env: SITECTL_OUTPUT] [default: table]'
            cand --fields 'Print these fields, in this order; a field inside another is a.b'
            cand --jq 'Filter the JSON result with jq; strings print raw'
            cand --color 'When to use colour [env: NO_COLOR, CLICOLOR_FORCE]'
            cand --request-timeout 'The longest that one request may take [default: 30s]'
            cand --retries 'How often a request that may be repeated is tried again [default: 4]'
            cand --sandbox 'Run against the embedded practice service [env: SITECTL_SANDBOX=1]'
            cand --json 'The same as --output json'
            cand --no-header 'Leave out the header row of table and csv'
            cand -q 'No progress, no hints; errors still print'
            cand --quiet 'No progress, no hints; errors still print'
            cand -v 'Show each HTTP exchange on stderr; twice for headers and bodies'
            cand --verbose 'Show each HTTP exchange on stderr; twice for headers and bodies'
            cand --no-input 'Never ask anything; implied where stdin is not a terminal'
            cand -h 'Print help'
            cand --help 'Print help'
        }
        &'sitectl;managed-accounts;help'= {
            cand list 'List managed accounts and invitations: all of them, newest first, or those that match'
            cand show 'Show one managed account, all its fields'
            cand help 'Print this message or the help of the given subcommand(s)'
        }
        &'sitectl;managed-accounts;help;list'= {
        }
        &'sitectl;managed-accounts;help;show'= {
        }
        &'sitectl;managed-accounts;help;help'= {
        }
        &'sitectl;restore'= {
            cand --profile 'Use this profile of the config file [env: SITECTL_PROFILE]'
            cand --base-url 'The service''s address, ends in /api/v6 [env: SITECTL_BASE_URL, and SITECTL_TOKEN for the token]'
            cand --ca-cert 'Trust the certificates in this PEM file, in place of the system''s [env: SSL_CERT_FILE]'
            cand -o 'How to print the result [env: SITECTL_OUTPUT] [default: table]'
            cand --output 'How to print the result [env: SITECTL_OUTPUT] [default: table]'
            cand --fields 'Print these fields, in this order; a field inside another is a.b'
            cand --jq 'Filter the JSON result with jq; strings print raw'
            cand --color 'When to use colour [env: NO_COLOR, CLICOLOR_FORCE]'
            cand --request-timeout 'The longest that one request may take [default: 30s]'
            cand --retries 'How often a request that may be repeated is tried again [default: 4]'
            cand --sandbox 'Run against the embedded practice service [env: SITECTL_SANDBOX=1]'
            cand --json 'The same as --output json'
            cand --no-header 'Leave out the header row of table and csv'
            cand -q 'No progress, no hints; errors still print'
            cand --quiet 'No progress, no hints; errors still print'
            cand -v 'Show each HTTP exchange on stderr; twice for headers and bodies'
            cand --verbose 'Show each HTTP exchange on stderr; twice for headers and bodies'
            cand --no-input 'Never ask anything; implied where stdin is not a terminal'
            cand -h 'Print help'
            cand --help 'Print help'
            cand history 'Show the restores that were started from this machine, whatever the profile, newest first'
            cand start 'Restore a site from a snapshot. This overwrites the live site'
            cand watch 'Watch restores until they end; without ids, all that this profile has started here and not yet seen end'
            cand help 'Print this message or the help of the given subcommand(s)'
        }
        &'sitectl;restore;history'= {
            cand --site 'Only restores of this site; can be given several times'
            cand --outcome 'Only with this outcome; several, separated by commas [possible values: running, succeeded, failed, refused, unknown]'
            cand --since 'Started at or after this time, date (UTC) or age (12h, 7d)'
            cand --limit 'Only the newest N'
            cand --profile 'Use this profile of the config file [env: SITECTL_PROFILE]'
            cand --base-url 'The service''s address, ends in /api/v6 [env: SITECTL_BASE_URL, and SITECTL_TOKEN for the token]'
            cand --ca-cert 'Trust the certificates in this PEM file, in place of the system''s [env: SSL_CERT_FILE]'
            cand -o 'How to print the result [env: SITECTL_OUTPUT] [default: table]'
            cand --output 'How to print the result [env: SITECTL_OUTPUT] [default: table]'
            cand --fields 'Print these fields, in this order; a field inside another is a.b'
            cand --jq 'Filter the JSON result with jq; strings print raw'
            cand --color 'When to use colour [env: NO_COLOR, CLICOLOR_FORCE]'
            cand --request-timeout 'The longest that one request may take [default: 30s]'
            cand --retries 'How often a request that may be repeated is tried again [default: 4]'
            cand --sandbox 'Run against the embedded practice service [env: SITECTL_SANDBOX=1]'
            cand --json 'The same as --output json'
            cand --no-header 'Leave out the header row of table and csv'
            cand -q 'No progress, no hints; errors still print'
            cand --quiet 'No progress, no hints; errors still print'
            cand -v 'Show each HTTP exchange on stderr; twice for headers and bodies'
            cand --verbose 'Show each HTTP exchange on stderr; twice for headers and bodies'
            cand --no-input 'Never ask anything; implied where stdin is not a terminal'
            cand -h 'Print help'
            cand --help 'Print help'
        }
        &'sitectl;restore;start'= {
            cand --confirm 'The profile that is meant: answers where a protected one asks for its name; refused where another is in use'
            cand --reason 'Why; kept in the journal'
            cand --path 'Of the files only this path; can be given several times, implies --files'
            cand --table 'Of the database only this table; can be given several times, implies --database'
            cand --subsite 'Of a multisite only this subsite; can be given several times'
            cand --scope-json 'The scope as the service takes it, sent as it is'
            cand --plan 'A file of restores (.csv, .json, .ndjson or .yaml), or - for stdin; what it has started is not started again'
            cand --input-format 'The format of the file [default: by its name, else by what is in it]'
            cand --concurrency 'Requests to start a restore that are sent at the same time'
            cand --stop-after-failures 'Start no more when so many could not be started'
            cand --failed-to 'Write the rows that failed, if any, to this file, in the format of the plan; it is replaced'
            cand --timeout 'Stop waiting after this long; the restore goes on'
            cand --interval 'Look at each task this often [default: from 1s to 10s, as things move]'
            cand --profile 'Use this profile of the config file [env: SITECTL_PROFILE]'
            cand --base-url 'The service''s address, ends in /api/v6 [env: SITECTL_BASE_URL, and SITECTL_TOKEN for the token]'
            cand --ca-cert 'Trust the certificates in this PEM file, in place of the system''s [env: SSL_CERT_FILE]'
            cand -o 'How to print the result [env: SITECTL_OUTPUT] [default: table]'
            cand --output 'How to print the result [env: SITECTL_OUTPUT] [default: table]'
            cand --fields 'Print these fields, in this order; a field inside another is a.b'
            cand --jq 'Filter the JSON result with jq; strings print raw'
            cand --color 'When to use colour [env: NO_COLOR, CLICOLOR_FORCE]'
            cand --request-timeout 'The longest that one request may take [default: 30s]'
            cand --retries 'How often a request that may be repeated is tried again [default: 4]'
            cand -y 'Do not ask; a protected profile still asks for its name'
            cand --yes 'Do not ask; a protected profile still asks for its name'
            cand --watch 'Watch it until it ends; the exit code tells how'
            cand --force 'Start it even where the last restore of the site is not known to have ended, or the plan has started it before'
            cand --full 'All files and the whole database'
            cand --files 'The files'
            cand --database 'The database'
            cand --sandbox 'Run against the embedded practice service [env: SITECTL_SANDBOX=1]'
            cand --json 'The same as --output json'
            cand --no-header 'Leave out the header row of table and csv'
            cand -q 'No progress, no hints; errors still print'
            cand --quiet 'No progress, no hints; errors still print'
            cand -v 'Show each HTTP exchange on stderr; twice for headers and bodies'
            cand --verbose 'Show each HTTP exchange on stderr; twice for headers and bodies'
            cand --no-input 'Never ask anything; implied where stdin is not a terminal'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
        }
        &'sitectl;restore;watch'= {
            cand --timeout 'Stop waiting after this long; the restore goes on'
            cand --interval 'Look at each task this often [default: from 1s to 10s, as things move]'
            cand --profile 'Use this profile of the config file [env: SITECTL_PROFILE]'
            cand --base-url 'The service''s address, ends in /api/v6 [env: SITECTL_BASE_URL, and SITECTL_TOKEN for the token]'
            cand --ca-cert 'Trust the certificates in this PEM file, in place of the system''s [env: SSL_CERT_FILE]'
            cand -o 'How to print the result [env: SITECTL_OUTPUT] [default: table]'
            cand --output 'How to print the result [env: SITECTL_OUTPUT] [default: table]'
            cand --fields 'Print these fields, in this order; a field inside another is a.b'
            cand --jq 'Filter the JSON result with jq; strings print raw'
            cand --color 'When to use colour [env: NO_COLOR, CLICOLOR_FORCE]'
            cand --request-timeout 'The longest that one request may take [default: 30s]'
            cand --retries 'How often a request that may be repeated is tried again [default: 4]'
            cand --sandbox 'Run against the embedded practice service [env: SITECTL_SANDBOX=1]'
            cand --json 'The same as --output json'
            cand --no-header 'Leave out the header row of table and csv'
            cand -q 'No progress, no hints; errors still print'
            cand --quiet 'No progress, no hints; errors still print'
            cand -v 'Show each HTTP exchange on stderr; twice for headers and bodies'
            cand --verbose 'Show each HTTP exchange on stderr; twice for headers and bodies'
            cand --no-input 'Never ask anything; implied where stdin is not a terminal'
            cand -h 'Print help'
            cand --help 'Print help'
        }
        &'sitectl;restore;help'= {
            cand history 'Show the restores that were started from this machine, whatever the profile, newest first'
            cand start 'Restore a site from a snapshot. This overwrites the live site'
            cand watch 'Watch restores until they end; without ids, all that this profile has started here and not yet seen end'
            cand help 'Print this message or the help of the given subcommand(s)'
        }
        &'sitectl;restore;help;history'= {
        }
        &'sitectl;restore;help;start'= {
        }
        &'sitectl;restore;help;watch'= {
        }
        &'sitectl;restore;help;help'= {
        }
        &'sitectl;tasks'= {
            cand --profile 'Use this profile of the config file [env: SITECTL_PROFILE]'
            cand --base-url 'The service''s address, ends in /api/v6 [env: SITECTL_BASE_URL, and SITECTL_TOKEN for the token]'
            cand --ca-cert 'Trust the certificates in this PEM file, in place of the system''s [env: SSL_CERT_FILE]'
            cand -o 'How to print the result [env: SITECTL_OUTPUT] [default: table]'
            cand --output 'How to print the result [env: SITECTL_OUTPUT] [default: table]'
            cand --fields 'Print these fields, in this order; a field inside another is a.b'
            cand --jq 'Filter the JSON result with jq; strings print raw'
            cand --color 'When to use colour [env: NO_COLOR, CLICOLOR_FORCE]'
            cand --request-timeout 'The longest that one request may take [default: 30s]'
            cand --retries 'How often a request that may be repeated is tried again [default: 4]'
            cand --sandbox 'Run against the embedded practice service [env: SITECTL_SANDBOX=1]'
            cand --json 'The same as --output json'
            cand --no-header 'Leave out the header row of table and csv'
            cand -q 'No progress, no hints; errors still print'
            cand --quiet 'No progress, no hints; errors still print'
            cand -v 'Show each HTTP exchange on stderr; twice for headers and bodies'
            cand --verbose 'Show each HTTP exchange on stderr; twice for headers and bodies'
            cand --no-input 'Never ask anything; implied where stdin is not a terminal'
            cand -h 'Print help'
            cand --help 'Print help'
            cand show 'Show a background task as it stands now; `restore watch` waits for its end'
            cand help 'Print this message or the help of the given subcommand(s)'
        }
        &'sitectl;tasks;show'= {
            cand --profile 'Use this profile of the config file [env: SITECTL_PROFILE]'
            cand --base-url 'The service''s address, ends in /api/v6 [env: SITECTL_BASE_URL, and SITECTL_TOKEN for the token]'
            cand --ca-cert 'Trust the certificates in this PEM file, in place of the system''s [env: SSL_CERT_FILE]'
            cand -o 'How to print the result [env: SITECTL_OUTPUT] [default: table]'
            cand --output 'How to print the result [env: SITECTL_OUTPUT] [default: table]'
            cand --fields 'Print these fields, in this order; a field inside another is a.b'
            cand --jq 'Filter the JSON result with jq; strings print raw'
            cand --color 'When to use colour [env: NO_COLOR, CLICOLOR_FORCE]'
            cand --request-timeout 'The longest that one request may take [default: 30s]'
            cand --retries 'How often a request that may be repeated is tried again [default: 4]'
            cand --sandbox 'Run against the embedded practice service [env: SITECTL_SANDBOX=1]'
            cand --json 'The same as --output json'
            cand --no-header 'Leave out the header row of table and csv'
            cand -q 'No progress, no hints; errors still print'
            cand --quiet 'No progress, no hints; errors still print'
            cand -v 'Show each HTTP exchange on stderr; twice for headers and bodies'
            cand --verbose 'Show each HTTP exchange on stderr; twice for headers and bodies'
            cand --no-input 'Never ask anything; implied where stdin is not a terminal'
            cand -h 'Print help'
            cand --help 'Print help'
        }
        &'sitectl;tasks;help'= {
            cand show 'Show a background task as it stands now; `restore watch` waits for its end'
            cand help 'Print this message or the help of the given subcommand(s)'
        }
        &'sitectl;tasks;help;show'= {
        }
        &'sitectl;tasks;help;help'= {
        }
        &'sitectl;sites'= {
            cand --profile 'Use this profile of the config file [env: SITECTL_PROFILE]'
            cand --base-url 'The service''s address, ends in /api/v6 [env: SITECTL_BASE_URL, and SITECTL_TOKEN for the token]'
            cand --ca-cert 'Trust the certificates in this PEM file, in place of the system''s [env: SSL_CERT_FILE]'
            cand -o 'How to print the result [env: SITECTL_OUTPUT] [default: table]'
            cand --output 'How to print the result [env: SITECTL_OUTPUT] [default: table]'
            cand --fields 'Print these fields, in this order; a field inside another is a.b'
            cand --jq 'Filter the JSON result with jq; strings print raw'
            cand --color 'When to use colour [env: NO_COLOR, CLICOLOR_FORCE]'
            cand --request-timeout 'The longest that one request may take [default: 30s]'
            cand --retries 'How often a request that may be repeated is tried again [default: 4]'
            cand --sandbox 'Run against the embedded practice service [env: SITECTL_SANDBOX=1]'
            cand --json 'The same as --output json'
            cand --no-header 'Leave out the header row of table and csv'
            cand -q 'No progress, no hints; errors still print'
            cand --quiet 'No progress, no hints; errors still print'
            cand -v 'Show each HTTP exchange on stderr; twice for headers and bodies'
            cand --verbose 'Show each HTTP exchange on stderr; twice for headers and bodies'
            cand --no-input 'Never ask anything; implied where stdin is not a terminal'
            cand -h 'Print help'
            cand --help 'Print help'
            cand list 'List the sites of the account'
            cand help 'Print this message or the help of the given subcommand(s)'
        }
        &'sitectl;sites;list'= {
            cand --limit 'Stop after N records'
            cand --page 'Only this page, counted from 1'
            cand --per-page 'Rows in a page [default: as many as are needed, up to 1000]'
            cand --concurrency 'Pages that are fetched at a time [default: 8]'
            cand --profile 'Use this profile of the config file [env: SITECTL_PROFILE]'
            cand --base-url 'The service''s address, ends in /api/v6 [env: SITECTL_BASE_URL, and SITECTL_TOKEN for the token]'
            cand --ca-cert 'Trust the certificates in this PEM file, in place of the system''s [env: SSL_CERT_FILE]'
            cand -o 'How to print the result [env: SITECTL_OUTPUT] [default: table]'
            cand --output 'How to print the result [env: SITECTL_OUTPUT] [default: table]'
            cand --fields 'Print these fields, in this order; a field inside another is a.b'
            cand --jq 'Filter the JSON result with jq; strings print raw'
            cand --color 'When to use colour [env: NO_COLOR, CLICOLOR_FORCE]'
            cand --request-timeout 'The longest that one request may take [default: 30s]'
            cand --retries 'How often a request that may be repeated is tried again [default: 4]'
            cand --verify 'Read until two readings agree: finds also what totals cannot show'
            cand --sandbox 'Run against the embedded practice service [env: SITECTL_SANDBOX=1]'
            cand --json 'The same as --output json'
            cand --no-header 'Leave out the header row of table and csv'
            cand -q 'No progress, no hints; errors still print'
            cand --quiet 'No progress, no hints; errors still print'
            cand -v 'Show each HTTP exchange on stderr; twice for headers and bodies'
            cand --verbose 'Show each HTTP exchange on stderr; twice for headers and bodies'
            cand --no-input 'Never ask anything; implied where stdin is not a terminal'
            cand -h 'Print help'
            cand --help 'Print help'
        }
        &'sitectl;sites;help'= {
            cand list 'List the sites of the account'
            cand help 'Print this message or the help of the given subcommand(s)'
        }
        &'sitectl;sites;help;list'= {
        }
        &'sitectl;sites;help;help'= {
        }
        &'sitectl;snapshots'= {
            cand --profile 'Use this profile of the config file [env: SITECTL_PROFILE]'
            cand --base-url 'The service''s address, ends in /api/v6 [env: SITECTL_BASE_URL, and SITECTL_TOKEN for the token]'
            cand --ca-cert 'Trust the certificates in this PEM file, in place of the system''s [env: SSL_CERT_FILE]'
            cand -o 'How to print the result [env: SITECTL_OUTPUT] [default: table]'
            cand --output 'How to print the result [env: SITECTL_OUTPUT] [default: table]'
            cand --fields 'Print these fields, in this order; a field inside another is a.b'
            cand --jq 'Filter the JSON result with jq; strings print raw'
            cand --color 'When to use colour [env: NO_COLOR, CLICOLOR_FORCE]'
            cand --request-timeout 'The longest that one request may take [default: 30s]'
            cand --retries 'How often a request that may be repeated is tried again [default: 4]'
            cand --sandbox 'Run against the embedded practice service [env: SITECTL_SANDBOX=1]'
            cand --json 'The same as --output json'
            cand --no-header 'Leave out the header row of table and csv'
            cand -q 'No progress, no hints; errors still print'
            cand --quiet 'No progress, no hints; errors still print'
            cand -v 'Show each HTTP exchange on stderr; twice for headers and bodies'
            cand --verbose 'Show each HTTP exchange on stderr; twice for headers and bodies'
            cand --no-input 'Never ask anything; implied where stdin is not a terminal'
            cand -h 'Print help'
            cand --help 'Print help'
            cand list 'List a site''s snapshots'
            cand help 'Print this message or the help of the given subcommand(s)'
        }
        &'sitectl;snapshots;list'= {
            cand --limit 'Stop after N records'
            cand --page 'Only this page, counted from 1'
            cand --per-page 'Rows in a page [default: as many as are needed, up to 1000]'
            cand --concurrency 'Pages that are fetched at a time [default: 8]'
            cand --profile 'Use this profile of the config file [env: SITECTL_PROFILE]'
            cand --base-url 'The service''s address, ends in /api/v6 [env: SITECTL_BASE_URL, and SITECTL_TOKEN for the token]'
            cand --ca-cert 'Trust the certificates in this PEM file, in place of the system''s [env: SSL_CERT_FILE]'
            cand -o 'How to print the result [env: SITECTL_OUTPUT] [default: table]'
            cand --output 'How to print the result [env: SITECTL_OUTPUT] [default: table]'
            cand --fields 'Print these fields, in this order; a field inside another is a.b'
            cand --jq 'Filter the JSON result with jq; strings print raw'
            cand --color 'When to use colour [env: NO_COLOR, CLICOLOR_FORCE]'
            cand --request-timeout 'The longest that one request may take [default: 30s]'
            cand --retries 'How often a request that may be repeated is tried again [default: 4]'
            cand --verify 'Read until two readings agree: finds also what totals cannot show'
            cand --sandbox 'Run against the embedded practice service [env: SITECTL_SANDBOX=1]'
            cand --json 'The same as --output json'
            cand --no-header 'Leave out the header row of table and csv'
            cand -q 'No progress, no hints; errors still print'
            cand --quiet 'No progress, no hints; errors still print'
            cand -v 'Show each HTTP exchange on stderr; twice for headers and bodies'
            cand --verbose 'Show each HTTP exchange on stderr; twice for headers and bodies'
            cand --no-input 'Never ask anything; implied where stdin is not a terminal'
            cand -h 'Print help'
            cand --help 'Print help'
        }
        &'sitectl;snapshots;help'= {
            cand list 'List a site''s snapshots'
            cand help 'Print this message or the help of the given subcommand(s)'
        }
        &'sitectl;snapshots;help;list'= {
        }
        &'sitectl;snapshots;help;help'= {
        }
        &'sitectl;api'= {
            cand -f 'A text, in the query or the body; can be given several times'
            cand --raw-field 'A text, in the query or the body; can be given several times'
            cand -F 'The same with a JSON value, such as a number, true, null or a list'
            cand --field 'The same with a JSON value, such as a number, true, null or a list'
            cand --input 'Send the JSON in a file as the body, or - for stdin'
            cand --filter 'Only records for which all of these hold; which fields and operators there are, the service says'
            cand --sort 'Order by a field, asc unless said otherwise'
            cand --limit 'Stop after N records'
            cand --per-page 'Rows in a page [default: as many as are needed, up to 1000]'
            cand --concurrency 'Pages that are fetched at a time [default: 8]'
            cand --confirm 'The profile that is meant: answers where a protected one asks for its name; refused where another is in use'
            cand --profile 'Use this profile of the config file [env: SITECTL_PROFILE]'
            cand --base-url 'The service''s address, ends in /api/v6 [env: SITECTL_BASE_URL, and SITECTL_TOKEN for the token]'
            cand --ca-cert 'Trust the certificates in this PEM file, in place of the system''s [env: SSL_CERT_FILE]'
            cand -o 'How to print the result [env: SITECTL_OUTPUT] [default: table]'
            cand --output 'How to print the result [env: SITECTL_OUTPUT] [default: table]'
            cand --fields 'Print these fields, in this order; a field inside another is a.b'
            cand --jq 'Filter the JSON result with jq; strings print raw'
            cand --color 'When to use colour [env: NO_COLOR, CLICOLOR_FORCE]'
            cand --request-timeout 'The longest that one request may take [default: 30s]'
            cand --retries 'How often a request that may be repeated is tried again [default: 4]'
            cand --paginate 'Read the list whole, page after page, and print its records as one list'
            cand --verify 'Read until two readings agree: finds also what totals cannot show'
            cand -i 'Show the status and headers of each answer on stderr'
            cand --include 'Show the status and headers of each answer on stderr'
            cand --dry-run 'Send nothing, and print the request as a curl command'
            cand --sandbox 'Run against the embedded practice service [env: SITECTL_SANDBOX=1]'
            cand --json 'The same as --output json'
            cand --no-header 'Leave out the header row of table and csv'
            cand -q 'No progress, no hints; errors still print'
            cand --quiet 'No progress, no hints; errors still print'
            cand -v 'Show each HTTP exchange on stderr; twice for headers and bodies'
            cand --verbose 'Show each HTTP exchange on stderr; twice for headers and bodies'
            cand --no-input 'Never ask anything; implied where stdin is not a terminal'
            cand -h 'Print help'
            cand --help 'Print help'
        }
        &'sitectl;sandbox'= {
            cand --profile 'Use this profile of the config file [env: SITECTL_PROFILE]'
            cand --base-url 'The service''s address, ends in /api/v6 [env: SITECTL_BASE_URL, and SITECTL_TOKEN for the token]'
            cand --ca-cert 'Trust the certificates in this PEM file, in place of the system''s [env: SSL_CERT_FILE]'
            cand -o 'How to print the result [env: SITECTL_OUTPUT] [default: table]'
            cand --output 'How to print the result [env: SITECTL_OUTPUT] [default: table]'
            cand --fields 'Print these fields, in this order; a field inside another is a.b'
            cand --jq 'Filter the JSON result with jq; strings print raw'
            cand --color 'When to use colour [env: NO_COLOR, CLICOLOR_FORCE]'
            cand --request-timeout 'The longest that one request may take [default: 30s]'
            cand --retries 'How often a request that may be repeated is tried again [default: 4]'
            cand --sandbox 'Run against the embedded practice service [env: SITECTL_SANDBOX=1]'
            cand --json 'The same as --output json'
            cand --no-header 'Leave out the header row of table and csv'
            cand -q 'No progress, no hints; errors still print'
            cand --quiet 'No progress, no hints; errors still print'
            cand -v 'Show each HTTP exchange on stderr; twice for headers and bodies'
            cand --verbose 'Show each HTTP exchange on stderr; twice for headers and bodies'
            cand --no-input 'Never ask anything; implied where stdin is not a terminal'
            cand -h 'Print help'
            cand --help 'Print help'
            cand serve 'Serve the sandbox over HTTP until interrupted'
            cand reset 'Put the sandbox''s first data back, and forget the restores that were started on it'
            cand help 'Print this message or the help of the given subcommand(s)'
        }
        &'sitectl;sandbox;serve'= {
            cand --listen 'Listen on this address; port 0 takes a free one'
            cand --db 'Keep the data in this file, or nowhere with :memory: [default: in the state directory]'
            cand --rate-limit 'Allow each account this many requests per window'
            cand --rate-window 'Make the window of the rate limit this long'
            cand --latency 'Wait this long before each request is looked at'
            cand --restore-time 'Let a restore take this long'
            cand --max-clients 'Refuse to create more clients than this per account (max_quota) [default: no limit]'
            cand --fault 'Make a share of the requests go wrong, as in 500:0.1; can be given several times'
            cand --fault-seed 'Make the sequence of faults the same every time'
            cand --profile 'Use this profile of the config file [env: SITECTL_PROFILE]'
            cand --base-url 'The service''s address, ends in /api/v6 [env: SITECTL_BASE_URL, and SITECTL_TOKEN for the token]'
            cand --ca-cert 'Trust the certificates in this PEM file, in place of the system''s [env: SSL_CERT_FILE]'
            cand -o 'How to print the result [env: SITECTL_OUTPUT] [default: table]'
            cand --output 'How to print the result [env: SITECTL_OUTPUT] [default: table]'
            cand --fields 'Print these fields, in this order; a field inside another is a.b'
            cand --jq 'Filter the JSON result with jq; strings print raw'
            cand --color 'When to use colour [env: NO_COLOR, CLICOLOR_FORCE]'
            cand --request-timeout 'The longest that one request may take [default: 30s]'
            cand --retries 'How often a request that may be repeated is tried again [default: 4]'
            cand --sandbox 'Run against the embedded practice service [env: SITECTL_SANDBOX=1]'
            cand --json 'The same as --output json'
            cand --no-header 'Leave out the header row of table and csv'
            cand -q 'No progress, no hints; errors still print'
            cand --quiet 'No progress, no hints; errors still print'
            cand -v 'Show each HTTP exchange on stderr; twice for headers and bodies'
            cand --verbose 'Show each HTTP exchange on stderr; twice for headers and bodies'
            cand --no-input 'Never ask anything; implied where stdin is not a terminal'
            cand -h 'Print help'
            cand --help 'Print help'
        }
        &'sitectl;sandbox;reset'= {
            cand --db 'Reset this file [default: the one in the state directory]'
            cand --profile 'Use this profile of the config file [env: SITECTL_PROFILE]'
            cand --base-url 'The service''s address, ends in /api/v6 [env: SITECTL_BASE_URL, and SITECTL_TOKEN for the token]'
            cand --ca-cert 'Trust the certificates in this PEM file, in place of the system''s [env: SSL_CERT_FILE]'
            cand -o 'How to print the result [env: SITECTL_OUTPUT] [default: table]'
            cand --output 'How to print the result [env: SITECTL_OUTPUT] [default: table]'
            cand --fields 'Print these fields, in this order; a field inside another is a.b'
            cand --jq 'Filter the JSON result with jq; strings print raw'
            cand --color 'When to use colour [env: NO_COLOR, CLICOLOR_FORCE]'
            cand --request-timeout 'The longest that one request may take [default: 30s]'
            cand --retries 'How often a request that may be repeated is tried again [default: 4]'
            cand --sandbox 'Run against the embedded practice service [env: SITECTL_SANDBOX=1]'
            cand --json 'The same as --output json'
            cand --no-header 'Leave out the header row of table and csv'
            cand -q 'No progress, no hints; errors still print'
            cand --quiet 'No progress, no hints; errors still print'
            cand -v 'Show each HTTP exchange on stderr; twice for headers and bodies'
            cand --verbose 'Show each HTTP exchange on stderr; twice for headers and bodies'
            cand --no-input 'Never ask anything; implied where stdin is not a terminal'
            cand -h 'Print help'
            cand --help 'Print help'
        }
        &'sitectl;sandbox;help'= {
            cand serve 'Serve the sandbox over HTTP until interrupted'
            cand reset 'Put the sandbox''s first data back, and forget the restores that were started on it'
            cand help 'Print this message or the help of the given subcommand(s)'
        }
        &'sitectl;sandbox;help;serve'= {
        }
        &'sitectl;sandbox;help;reset'= {
        }
        &'sitectl;sandbox;help;help'= {
        }
        &'sitectl;auth'= {
            cand --profile 'Use this profile of the config file [env: SITECTL_PROFILE]'
            cand --base-url 'The service''s address, ends in /api/v6 [env: SITECTL_BASE_URL, and SITECTL_TOKEN for the token]'
            cand --ca-cert 'Trust the certificates in this PEM file, in place of the system''s [env: SSL_CERT_FILE]'
            cand -o 'How to print the result [env: SITECTL_OUTPUT] [default: table]'
            cand --output 'How to print the result [env: SITECTL_OUTPUT] [default: table]'
            cand --fields 'Print these fields, in this order; a field inside another is a.b'
            cand --jq 'Filter the JSON result with jq; strings print raw'
            cand --color 'When to use colour [env: NO_COLOR, CLICOLOR_FORCE]'
            cand --request-timeout 'The longest that one request may take [default: 30s]'
            cand --retries 'How often a request that may be repeated is tried again [default: 4]'
            cand --sandbox 'Run against the embedded practice service [env: SITECTL_SANDBOX=1]'
            cand --json 'The same as --output json'
            cand --no-header 'Leave out the header row of table and csv'
            cand -q 'No progress, no hints; errors still print'
            cand --quiet 'No progress, no hints; errors still print'
            cand -v 'Show each HTTP exchange on stderr; twice for headers and bodies'
            cand --verbose 'Show each HTTP exchange on stderr; twice for headers and bodies'
            cand --no-input 'Never ask anything; implied where stdin is not a terminal'
            cand -h 'Print help'
            cand --help 'Print help'
            cand login 'Save a service''s address and token as a profile, once the service has accepted them'
            cand status 'Show which service and token are in use, where each setting is from, and whether they are accepted'
            cand logout 'Take the token, or the command that prints it, out of a profile; the rest stays'
            cand help 'Print this message or the help of the given subcommand(s)'
        }
        &'sitectl;auth;login'= {
            cand --token-command 'Save a command that prints the token; it is run whenever the token is needed'
            cand --profile 'Use this profile of the config file [env: SITECTL_PROFILE]'
            cand --base-url 'The service''s address, ends in /api/v6 [env: SITECTL_BASE_URL, and SITECTL_TOKEN for the token]'
            cand --ca-cert 'Trust the certificates in this PEM file, in place of the system''s [env: SSL_CERT_FILE]'
            cand -o 'How to print the result [env: SITECTL_OUTPUT] [default: table]'
            cand --output 'How to print the result [env: SITECTL_OUTPUT] [default: table]'
            cand --fields 'Print these fields, in this order; a field inside another is a.b'
            cand --jq 'Filter the JSON result with jq; strings print raw'
            cand --color 'When to use colour [env: NO_COLOR, CLICOLOR_FORCE]'
            cand --request-timeout 'The longest that one request may take [default: 30s]'
            cand --retries 'How often a request that may be repeated is tried again [default: 4]'
            cand --with-token 'Read the token from stdin'
            cand --no-verify 'Save it without asking the service'
            cand --sandbox 'Run against the embedded practice service [env: SITECTL_SANDBOX=1]'
            cand --json 'The same as --output json'
            cand --no-header 'Leave out the header row of table and csv'
            cand -q 'No progress, no hints; errors still print'
            cand --quiet 'No progress, no hints; errors still print'
            cand -v 'Show each HTTP exchange on stderr; twice for headers and bodies'
            cand --verbose 'Show each HTTP exchange on stderr; twice for headers and bodies'
            cand --no-input 'Never ask anything; implied where stdin is not a terminal'
            cand -h 'Print help'
            cand --help 'Print help'
        }
        &'sitectl;auth;status'= {
            cand --profile 'Use this profile of the config file [env: SITECTL_PROFILE]'
            cand --base-url 'The service''s address, ends in /api/v6 [env: SITECTL_BASE_URL, and SITECTL_TOKEN for the token]'
            cand --ca-cert 'Trust the certificates in this PEM file, in place of the system''s [env: SSL_CERT_FILE]'
            cand -o 'How to print the result [env: SITECTL_OUTPUT] [default: table]'
            cand --output 'How to print the result [env: SITECTL_OUTPUT] [default: table]'
            cand --fields 'Print these fields, in this order; a field inside another is a.b'
            cand --jq 'Filter the JSON result with jq; strings print raw'
            cand --color 'When to use colour [env: NO_COLOR, CLICOLOR_FORCE]'
            cand --request-timeout 'The longest that one request may take [default: 30s]'
            cand --retries 'How often a request that may be repeated is tried again [default: 4]'
            cand --offline 'Do not ask the service'
            cand --sandbox 'Run against the embedded practice service [env: SITECTL_SANDBOX=1]'
            cand --json 'The same as --output json'
            cand --no-header 'Leave out the header row of table and csv'
            cand -q 'No progress, no hints; errors still print'
            cand --quiet 'No progress, no hints; errors still print'
            cand -v 'Show each HTTP exchange on stderr; twice for headers and bodies'
            cand --verbose 'Show each HTTP exchange on stderr; twice for headers and bodies'
            cand --no-input 'Never ask anything; implied where stdin is not a terminal'
            cand -h 'Print help'
            cand --help 'Print help'
        }
        &'sitectl;auth;logout'= {
            cand --profile 'Use this profile of the config file [env: SITECTL_PROFILE]'
            cand --base-url 'The service''s address, ends in /api/v6 [env: SITECTL_BASE_URL, and SITECTL_TOKEN for the token]'
            cand --ca-cert 'Trust the certificates in this PEM file, in place of the system''s [env: SSL_CERT_FILE]'
            cand -o 'How to print the result [env: SITECTL_OUTPUT] [default: table]'
            cand --output 'How to print the result [env: SITECTL_OUTPUT] [default: table]'
            cand --fields 'Print these fields, in this order; a field inside another is a.b'
            cand --jq 'Filter the JSON result with jq; strings print raw'
            cand --color 'When to use colour [env: NO_COLOR, CLICOLOR_FORCE]'
            cand --request-timeout 'The longest that one request may take [default: 30s]'
            cand --retries 'How often a request that may be repeated is tried again [default: 4]'
            cand --sandbox 'Run against the embedded practice service [env: SITECTL_SANDBOX=1]'
            cand --json 'The same as --output json'
            cand --no-header 'Leave out the header row of table and csv'
            cand -q 'No progress, no hints; errors still print'
            cand --quiet 'No progress, no hints; errors still print'
            cand -v 'Show each HTTP exchange on stderr; twice for headers and bodies'
            cand --verbose 'Show each HTTP exchange on stderr; twice for headers and bodies'
            cand --no-input 'Never ask anything; implied where stdin is not a terminal'
            cand -h 'Print help'
            cand --help 'Print help'
        }
        &'sitectl;auth;help'= {
            cand login 'Save a service''s address and token as a profile, once the service has accepted them'
            cand status 'Show which service and token are in use, where each setting is from, and whether they are accepted'
            cand logout 'Take the token, or the command that prints it, out of a profile; the rest stays'
            cand help 'Print this message or the help of the given subcommand(s)'
        }
        &'sitectl;auth;help;login'= {
        }
        &'sitectl;auth;help;status'= {
        }
        &'sitectl;auth;help;logout'= {
        }
        &'sitectl;auth;help;help'= {
        }
        &'sitectl;profiles'= {
            cand --profile 'Use this profile of the config file [env: SITECTL_PROFILE]'
            cand --base-url 'The service''s address, ends in /api/v6 [env: SITECTL_BASE_URL, and SITECTL_TOKEN for the token]'
            cand --ca-cert 'Trust the certificates in this PEM file, in place of the system''s [env: SSL_CERT_FILE]'
            cand -o 'How to print the result [env: SITECTL_OUTPUT] [default: table]'
            cand --output 'How to print the result [env: SITECTL_OUTPUT] [default: table]'
            cand --fields 'Print these fields, in this order; a field inside another is a.b'
            cand --jq 'Filter the JSON result with jq; strings print raw'
            cand --color 'When to use colour [env: NO_COLOR, CLICOLOR_FORCE]'
            cand --request-timeout 'The longest that one request may take [default: 30s]'
            cand --retries 'How often a request that may be repeated is tried again [default: 4]'
            cand --sandbox 'Run against the embedded practice service [env: SITECTL_SANDBOX=1]'
            cand --json 'The same as --output json'
            cand --no-header 'Leave out the header row of table and csv'
            cand -q 'No progress, no hints; errors still print'
            cand --quiet 'No progress, no hints; errors still print'
            cand -v 'Show each HTTP exchange on stderr; twice for headers and bodies'
            cand --verbose 'Show each HTTP exchange on stderr; twice for headers and bodies'
            cand --no-input 'Never ask anything; implied where stdin is not a terminal'
            cand -h 'Print help'
            cand --help 'Print help'
            cand list 'List the profiles of the config file'
            cand use 'Make a profile the current one: it is used where none is named'
            cand remove 'Take a profile out of the config file, with its token and all its settings'
            cand help 'Print this message or the help of the given subcommand(s)'
        }
        &'sitectl;profiles;list'= {
            cand --profile 'Use this profile of the config file [env: SITECTL_PROFILE]'
            cand --base-url 'The service''s address, ends in /api/v6 [env: SITECTL_BASE_URL, and SITECTL_TOKEN for the token]'
            cand --ca-cert 'Trust the certificates in this PEM file, in place of the system''s [env: SSL_CERT_FILE]'
            cand -o 'How to print the result [env: SITECTL_OUTPUT] [default: table]'
            cand --output 'How to print the result [env: SITECTL_OUTPUT] [default: table]'
            cand --fields 'Print these fields, in this order; a field inside another is a.b'
            cand --jq 'Filter the JSON result with jq; strings print raw'
            cand --color 'When to use colour [env: NO_COLOR, CLICOLOR_FORCE]'
            cand --request-timeout 'The longest that one request may take [default: 30s]'
            cand --retries 'How often a request that may be repeated is tried again [default: 4]'
            cand --sandbox 'Run against the embedded practice service [env: SITECTL_SANDBOX=1]'
            cand --json 'The same as --output json'
            cand --no-header 'Leave out the header row of table and csv'
            cand -q 'No progress, no hints; errors still print'
            cand --quiet 'No progress, no hints; errors still print'
            cand -v 'Show each HTTP exchange on stderr; twice for headers and bodies'
            cand --verbose 'Show each HTTP exchange on stderr; twice for headers and bodies'
            cand --no-input 'Never ask anything; implied where stdin is not a terminal'
            cand -h 'Print help'
            cand --help 'Print help'
        }
        &'sitectl;profiles;use'= {
            cand --profile 'Use this profile of the config file [env: SITECTL_PROFILE]'
            cand --base-url 'The service''s address, ends in /api/v6 [env: SITECTL_BASE_URL, and SITECTL_TOKEN for the token]'
            cand --ca-cert 'Trust the certificates in this PEM file, in place of the system''s [env: SSL_CERT_FILE]'
            cand -o 'How to print the result [env: SITECTL_OUTPUT] [default: table]'
            cand --output 'How to print the result [env: SITECTL_OUTPUT] [default: table]'
            cand --fields 'Print these fields, in this order; a field inside another is a.b'
            cand --jq 'Filter the JSON result with jq; strings print raw'
            cand --color 'When to use colour [env: NO_COLOR, CLICOLOR_FORCE]'
            cand --request-timeout 'The longest that one request may take [default: 30s]'
            cand --retries 'How often a request that may be repeated is tried again [default: 4]'
            cand --sandbox 'Run against the embedded practice service [env: SITECTL_SANDBOX=1]'
            cand --json 'The same as --output json'
            cand --no-header 'Leave out the header row of table and csv'
            cand -q 'No progress, no hints; errors still print'
            cand --quiet 'No progress, no hints; errors still print'
            cand -v 'Show each HTTP exchange on stderr; twice for headers and bodies'
            cand --verbose 'Show each HTTP exchange on stderr; twice for headers and bodies'
            cand --no-input 'Never ask anything; implied where stdin is not a terminal'
            cand -h 'Print help'
            cand --help 'Print help'
        }
        &'sitectl;profiles;remove'= {
            cand --profile 'Use this profile of the config file [env: SITECTL_PROFILE]'
            cand --base-url 'The service''s address, ends in /api/v6 [env: SITECTL_BASE_URL, and SITECTL_TOKEN for the token]'
            cand --ca-cert 'Trust the certificates in this PEM file, in place of the system''s [env: SSL_CERT_FILE]'
            cand -o 'How to print the result [env: SITECTL_OUTPUT] [default: table]'
            cand --output 'How to print the result [env: SITECTL_OUTPUT] [default: table]'
            cand --fields 'Print these fields, in this order; a field inside another is a.b'
            cand --jq 'Filter the JSON result with jq; strings print raw'
            cand --color 'When to use colour [env: NO_COLOR, CLICOLOR_FORCE]'
            cand --request-timeout 'The longest that one request may take [default: 30s]'
            cand --retries 'How often a request that may be repeated is tried again [default: 4]'
            cand -y 'Do not ask'
            cand --yes 'Do not ask'
            cand --sandbox 'Run against the embedded practice service [env: SITECTL_SANDBOX=1]'
            cand --json 'The same as --output json'
            cand --no-header 'Leave out the header row of table and csv'
            cand -q 'No progress, no hints; errors still print'
            cand --quiet 'No progress, no hints; errors still print'
            cand -v 'Show each HTTP exchange on stderr; twice for headers and bodies'
            cand --verbose 'Show each HTTP exchange on stderr; twice for headers and bodies'
            cand --no-input 'Never ask anything; implied where stdin is not a terminal'
            cand -h 'Print help'
            cand --help 'Print help'
        }
        &'sitectl;profiles;help'= {
            cand list 'List the profiles of the config file'
            cand use 'Make a profile the current one: it is used where none is named'
            cand remove 'Take a profile out of the config file, with its token and all its settings'
            cand help 'Print this message or the help of the given subcommand(s)'
        }
        &'sitectl;profiles;help;list'= {
        }
        &'sitectl;profiles;help;use'= {
        }
        &'sitectl;profiles;help;remove'= {
        }
        &'sitectl;profiles;help;help'= {
        }
        &'sitectl;completions'= {
            cand --profile 'Use this profile of the config file [env: SITECTL_PROFILE]'
            cand --base-url 'The service''s address, ends in /api/v6 [env: SITECTL_BASE_URL, and SITECTL_TOKEN for the token]'
            cand --ca-cert 'Trust the certificates in this PEM file, in place of the system''s [env: SSL_CERT_FILE]'
            cand -o 'How to print the result [env: SITECTL_OUTPUT] [default: table]'
            cand --output 'How to print the result [env: SITECTL_OUTPUT] [default: table]'
            cand --fields 'Print these fields, in this order; a field inside another is a.b'
            cand --jq 'Filter the JSON result with jq; strings print raw'
            cand --color 'When to use colour [env: NO_COLOR, CLICOLOR_FORCE]'
            cand --request-timeout 'The longest that one request may take [default: 30s]'
            cand --retries 'How often a request that may be repeated is tried again [default: 4]'
            cand --sandbox 'Run against the embedded practice service [env: SITECTL_SANDBOX=1]'
            cand --json 'The same as --output json'
            cand --no-header 'Leave out the header row of table and csv'
            cand -q 'No progress, no hints; errors still print'
            cand --quiet 'No progress, no hints; errors still print'
            cand -v 'Show each HTTP exchange on stderr; twice for headers and bodies'
            cand --verbose 'Show each HTTP exchange on stderr; twice for headers and bodies'
            cand --no-input 'Never ask anything; implied where stdin is not a terminal'
            cand -h 'Print help'
            cand --help 'Print help'
        }
        &'sitectl;explain'= {
            cand --profile 'Use this profile of the config file [env: SITECTL_PROFILE]'
            cand --base-url 'The service''s address, ends in /api/v6 [env: SITECTL_BASE_URL, and SITECTL_TOKEN for the token]'
            cand --ca-cert 'Trust the certificates in this PEM file, in place of the system''s [env: SSL_CERT_FILE]'
            cand -o 'How to print the result [env: SITECTL_OUTPUT] [default: table]'
            cand --output 'How to print the result [env: SITECTL_OUTPUT] [default: table]'
            cand --fields 'Print these fields, in this order; a field inside another is a.b'
            cand --jq 'Filter the JSON result with jq; strings print raw'
            cand --color 'When to use colour [env: NO_COLOR, CLICOLOR_FORCE]'
            cand --request-timeout 'The longest that one request may take [default: 30s]'
            cand --retries 'How often a request that may be repeated is tried again [default: 4]'
            cand --sandbox 'Run against the embedded practice service [env: SITECTL_SANDBOX=1]'
            cand --json 'The same as --output json'
            cand --no-header 'Leave out the header row of table and csv'
            cand -q 'No progress, no hints; errors still print'
            cand --quiet 'No progress, no hints; errors still print'
            cand -v 'Show each HTTP exchange on stderr; twice for headers and bodies'
            cand --verbose 'Show each HTTP exchange on stderr; twice for headers and bodies'
            cand --no-input 'Never ask anything; implied where stdin is not a terminal'
            cand -h 'Print help'
            cand --help 'Print help'
        }
        &'sitectl;help'= {
            cand clients 'List, show and change the clients whose sites are managed'
            cand managed-accounts 'List and show the accounts of others that this account may use'
            cand restore 'Start restores of sites and watch them to their end'
            cand tasks 'Show background tasks'
            cand sites 'List the sites of the account'
            cand snapshots 'List the snapshots of a site'
            cand api 'Send a request by hand, to any area of the service'
            cand sandbox 'Practise on a local service that keeps the rules of the real one'
            cand auth 'Save the address and token of a service, and see whether they are accepted'
            cand profiles 'List, choose and remove the profiles of the config file'
            cand completions 'Print the completion script for a shell'
            cand explain 'Explain an error by its kind, its exit code or the code of one of its details'
            cand help 'Print this message or the help of the given subcommand(s)'
        }
        &'sitectl;help;clients'= {
            cand apply 'Make the account''s clients match a file: create, update and, with --prune, delete them'
            cand create 'Create a client. On a terminal, what is missing is asked for'
            cand delete 'Delete clients; their sites stay, and belong to no client'
            cand list 'List clients: all of them, newest first, or those that match'
            cand show 'Show one client, all its fields'
            cand update 'Change a client''s details, note or sites; what is not named stays as it is'
        }
        &'sitectl;help;clients;apply'= {
        }
        &'sitectl;help;clients;create'= {
        }
        &'sitectl;help;clients;delete'= {
        }
        &'sitectl;help;clients;list'= {
        }
        &'sitectl;help;clients;show'= {
        }
        &'sitectl;help;clients;update'= {
        }
        &'sitectl;help;managed-accounts'= {
            cand list 'List managed accounts and invitations: all of them, newest first, or those that match'
            cand show 'Show one managed account, all its fields'
        }
        &'sitectl;help;managed-accounts;list'= {
        }
        &'sitectl;help;managed-accounts;show'= {
        }
        &'sitectl;help;restore'= {
            cand history 'Show the restores that were started from this machine, whatever the profile, newest first'
            cand start 'Restore a site from a snapshot. This overwrites the live site'
            cand watch 'Watch restores until they end; without ids, all that this profile has started here and not yet seen end'
        }
        &'sitectl;help;restore;history'= {
        }
        &'sitectl;help;restore;start'= {
        }
        &'sitectl;help;restore;watch'= {
        }
        &'sitectl;help;tasks'= {
            cand show 'Show a background task as it stands now; `restore watch` waits for its end'
        }
        &'sitectl;help;tasks;show'= {
        }
        &'sitectl;help;sites'= {
            cand list 'List the sites of the account'
        }
        &'sitectl;help;sites;list'= {
        }
        &'sitectl;help;snapshots'= {
            cand list 'List a site''s snapshots'
        }
        &'sitectl;help;snapshots;list'= {
        }
        &'sitectl;help;api'= {
        }
        &'sitectl;help;sandbox'= {
            cand serve 'Serve the sandbox over HTTP until interrupted'
            cand reset 'Put the sandbox''s first data back, and forget the restores that were started on it'
        }
        &'sitectl;help;sandbox;serve'= {
        }
        &'sitectl;help;sandbox;reset'= {
        }
        &'sitectl;help;auth'= {
            cand login 'Save a service''s address and token as a profile, once the service has accepted them'
            cand status 'Show which service and token are in use, where each setting is from, and whether they are accepted'
            cand logout 'Take the token, or the command that prints it, out of a profile; the rest stays'
        }
        &'sitectl;help;auth;login'= {
        }
        &'sitectl;help;auth;status'= {
        }
        &'sitectl;help;auth;logout'= {
        }
        &'sitectl;help;profiles'= {
            cand list 'List the profiles of the config file'
            cand use 'Make a profile the current one: it is used where none is named'
            cand remove 'Take a profile out of the config file, with its token and all its settings'
        }
        &'sitectl;help;profiles;list'= {
        }
        &'sitectl;help;profiles;use'= {
        }
        &'sitectl;help;profiles;remove'= {
        }
        &'sitectl;help;completions'= {
        }
        &'sitectl;help;explain'= {
        }
        &'sitectl;help;help'= {
        }
    ]
    $completions[$command]
}
