# Print an optspec for argparse to handle cmd's options that are independent of any subcommand.
function __fish_sitectl_global_optspecs
    string join \n profile= base-url= sandbox ca-cert= o/output= json fields= jq= no-header color= q/quiet v/verbose no-input request-timeout= retries= h/help V/version
end

function __fish_sitectl_needs_command
    # Figure out if the current invocation already has a command.
    set -l cmd (commandline -opc)
    set -e cmd[1]
    argparse -s (__fish_sitectl_global_optspecs) -- $cmd 2>/dev/null
    or return
    if set -q argv[1]
        # Also print the command, so this can be used to figure out what it is.
        echo $argv[1]
        return 1
    end
    return 0
end

function __fish_sitectl_using_subcommand
    set -l cmd (__fish_sitectl_needs_command)
    test -z "$cmd"
    and return 1
    contains -- $cmd[1] $argv
end

complete -c sitectl -n "__fish_sitectl_needs_command" -l profile -d 'Use this profile of the config file [env: SITECTL_PROFILE]' -r
complete -c sitectl -n "__fish_sitectl_needs_command" -l base-url -d 'The service\'s address, ends in /api/v6 [env: SITECTL_BASE_URL, and SITECTL_TOKEN for the token]' -r
complete -c sitectl -n "__fish_sitectl_needs_command" -l ca-cert -d 'Trust the certificates in this PEM file, in place of the system\'s [env: SSL_CERT_FILE]' -r -F
complete -c sitectl -n "__fish_sitectl_needs_command" -s o -l output -d 'How to print the result [env: SITECTL_OUTPUT] [default: table]' -r -f -a "table\t''
json\t''
ndjson\t''
csv\t''
yaml\t''
ids\t''"
complete -c sitectl -n "__fish_sitectl_needs_command" -l fields -d 'Print these fields, in this order; a field inside another is a.b' -r
complete -c sitectl -n "__fish_sitectl_needs_command" -l jq -d 'Filter the JSON result with jq; strings print raw' -r
complete -c sitectl -n "__fish_sitectl_needs_command" -l color -d 'When to use colour [env: NO_COLOR, CLICOLOR_FORCE]' -r -f -a "auto\t''
always\t''
never\t''"
complete -c sitectl -n "__fish_sitectl_needs_command" -l request-timeout -d 'The longest that one request may take [default: 30s]' -r
complete -c sitectl -n "__fish_sitectl_needs_command" -l retries -d 'How often a request that may be repeated is tried again [default: 4]' -r
complete -c sitectl -n "__fish_sitectl_needs_command" -l sandbox -d 'Run against the embedded practice service [env: SITECTL_SANDBOX=1]'
complete -c sitectl -n "__fish_sitectl_needs_command" -l json -d 'The same as --output json'
complete -c sitectl -n "__fish_sitectl_needs_command" -l no-header -d 'Leave out the header row of table and csv'
complete -c sitectl -n "__fish_sitectl_needs_command" -s q -l quiet -d 'No progress, no hints; errors still print'
complete -c sitectl -n "__fish_sitectl_needs_command" -s v -l verbose -d 'Show each HTTP exchange on stderr; twice for headers and bodies'
complete -c sitectl -n "__fish_sitectl_needs_command" -l no-input -d 'Never ask anything; implied where stdin is not a terminal'
complete -c sitectl -n "__fish_sitectl_needs_command" -s h -l help -d 'Print help'
complete -c sitectl -n "__fish_sitectl_needs_command" -s V -l version -d 'Print version'
complete -c sitectl -n "__fish_sitectl_needs_command" -f -a "clients" -d 'List, show and change the clients whose sites are managed'
complete -c sitectl -n "__fish_sitectl_needs_command" -f -a "managed-accounts" -d 'List and show the accounts of others that this account may use'
complete -c sitectl -n "__fish_sitectl_needs_command" -f -a "restore" -d 'Start restores of sites and watch them to their end'
complete -c sitectl -n "__fish_sitectl_needs_command" -f -a "tasks" -d 'Show background tasks'
complete -c sitectl -n "__fish_sitectl_needs_command" -f -a "sites" -d 'List the sites of the account'
complete -c sitectl -n "__fish_sitectl_needs_command" -f -a "snapshots" -d 'List the snapshots of a site'
complete -c sitectl -n "__fish_sitectl_needs_command" -f -a "api" -d 'Send a request by hand, to any area of the service'
complete -c sitectl -n "__fish_sitectl_needs_command" -f -a "sandbox" -d 'Practise on a local service that keeps the rules of the real one'
complete -c sitectl -n "__fish_sitectl_needs_command" -f -a "auth" -d 'Save the address and token of a service, and see whether they are accepted'
complete -c sitectl -n "__fish_sitectl_needs_command" -f -a "profiles" -d 'List, choose and remove the profiles of the config file'
complete -c sitectl -n "__fish_sitectl_needs_command" -f -a "completions" -d 'Print the completion script for a shell'
complete -c sitectl -n "__fish_sitectl_needs_command" -f -a "explain" -d 'Explain an error by its kind, its exit code or the code of one of its details'
complete -c sitectl -n "__fish_sitectl_needs_command" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c sitectl -n "__fish_sitectl_using_subcommand clients; and not __fish_seen_subcommand_from apply create delete list show update help" -l profile -d 'Use this profile of the config file [env: SITECTL_PROFILE]' -r
complete -c sitectl -n "__fish_sitectl_using_subcommand clients; and not __fish_seen_subcommand_from apply create delete list show update help" -l base-url -d 'The service\'s address, ends in /api/v6 [env: SITECTL_BASE_URL, and SITECTL_TOKEN for the token]' -r
complete -c sitectl -n "__fish_sitectl_using_subcommand clients; and not __fish_seen_subcommand_from apply create delete list show update help" -l ca-cert -d 'Trust the certificates in this PEM file, in place of the system\'s [env: SSL_CERT_FILE]' -r -F
complete -c sitectl -n "__fish_sitectl_using_subcommand clients; and not __fish_seen_subcommand_from apply create delete list show update help" -s o -l output -d 'How to print the result [env: SITECTL_OUTPUT] [default: table]' -r -f -a "table\t''
json\t''
ndjson\t''
csv\t''
yaml\t''
ids\t''"
complete -c sitectl -n "__fish_sitectl_using_subcommand clients; and not __fish_seen_subcommand_from apply create delete list show update help" -l fields -d 'Print these fields, in this order; a field inside another is a.b' -r
complete -c sitectl -n "__fish_sitectl_using_subcommand clients; and not __fish_seen_subcommand_from apply create delete list show update help" -l jq -d 'Filter the JSON result with jq; strings print raw' -r
complete -c sitectl -n "__fish_sitectl_using_subcommand clients; and not __fish_seen_subcommand_from apply create delete list show update help" -l color -d 'When to use colour [env: NO_COLOR, CLICOLOR_FORCE]' -r -f -a "auto\t''
always\t''
never\t''"
complete -c sitectl -n "__fish_sitectl_using_subcommand clients; and not __fish_seen_subcommand_from apply create delete list show update help" -l request-timeout -d 'The longest that one request may take [default: 30s]' -r
complete -c sitectl -n "__fish_sitectl_using_subcommand clients; and not __fish_seen_subcommand_from apply create delete list show update help" -l retries -d 'How often a request that may be repeated is tried again [default: 4]' -r
complete -c sitectl -n "__fish_sitectl_using_subcommand clients; and not __fish_seen_subcommand_from apply create delete list show update help" -l sandbox -d 'Run against the embedded practice service [env: SITECTL_SANDBOX=1]'
complete -c sitectl -n "__fish_sitectl_using_subcommand clients; and not __fish_seen_subcommand_from apply create delete list show update help" -l json -d 'The same as --output json'
complete -c sitectl -n "__fish_sitectl_using_subcommand clients; and not __fish_seen_subcommand_from apply create delete list show update help" -l no-header -d 'Leave out the header row of table and csv'
complete -c sitectl -n "__fish_sitectl_using_subcommand clients; and not __fish_seen_subcommand_from apply create delete list show update help" -s q -l quiet -d 'No progress, no hints; errors still print'
complete -c sitectl -n "__fish_sitectl_using_subcommand clients; and not __fish_seen_subcommand_from apply create delete list show update help" -s v -l verbose -d 'Show each HTTP exchange on stderr; twice for headers and bodies'
complete -c sitectl -n "__fish_sitectl_using_subcommand clients; and not __fish_seen_subcommand_from apply create delete list show update help" -l no-input -d 'Never ask anything; implied where stdin is not a terminal'
complete -c sitectl -n "__fish_sitectl_using_subcommand clients; and not __fish_seen_subcommand_from apply create delete list show update help" -s h -l help -d 'Print help'
complete -c sitectl -n "__fish_sitectl_using_subcommand clients; and not __fish_seen_subcommand_from apply create delete list show update help" -f -a "apply" -d 'Make the account\'s clients match a file: create, update and, with --prune, delete them'
complete -c sitectl -n "__fish_sitectl_using_subcommand clients; and not __fish_seen_subcommand_from apply create delete list show update help" -f -a "create" -d 'Create a client. On a terminal, what is missing is asked for'
complete -c sitectl -n "__fish_sitectl_using_subcommand clients; and not __fish_seen_subcommand_from apply create delete list show update help" -f -a "delete" -d 'Delete clients; their sites stay, and belong to no client'
complete -c sitectl -n "__fish_sitectl_using_subcommand clients; and not __fish_seen_subcommand_from apply create delete list show update help" -f -a "list" -d 'List clients: all of them, newest first, or those that match'
complete -c sitectl -n "__fish_sitectl_using_subcommand clients; and not __fish_seen_subcommand_from apply create delete list show update help" -f -a "show" -d 'Show one client, all its fields'
complete -c sitectl -n "__fish_sitectl_using_subcommand clients; and not __fish_seen_subcommand_from apply create delete list show update help" -f -a "update" -d 'Change a client\'s details, note or sites; what is not named stays as it is'
complete -c sitectl -n "__fish_sitectl_using_subcommand clients; and not __fish_seen_subcommand_from apply create delete list show update help" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c sitectl -n "__fish_sitectl_using_subcommand clients; and __fish_seen_subcommand_from apply" -l input-format -d 'The format of the file [default: by its name, else by what is in it]' -r -f -a "csv\t'A line that names the columns, then a row a line'
json\t'An array of objects, or one object'
ndjson\t'A JSON object a line'
yaml\t'A sequence of mappings, or one mapping'"
complete -c sitectl -n "__fish_sitectl_using_subcommand clients; and __fish_seen_subcommand_from apply" -l confirm -d 'The profile that is meant: answers where a protected one asks for its name; refused where another is in use' -r
complete -c sitectl -n "__fish_sitectl_using_subcommand clients; and __fish_seen_subcommand_from apply" -l failed-to -d 'Write the rows that failed, if any, to this file, in the format of the input; it is replaced' -r -F
complete -c sitectl -n "__fish_sitectl_using_subcommand clients; and __fish_seen_subcommand_from apply" -l concurrency -d 'Changes sent at the same time' -r
complete -c sitectl -n "__fish_sitectl_using_subcommand clients; and __fish_seen_subcommand_from apply" -l profile -d 'Use this profile of the config file [env: SITECTL_PROFILE]' -r
complete -c sitectl -n "__fish_sitectl_using_subcommand clients; and __fish_seen_subcommand_from apply" -l base-url -d 'The service\'s address, ends in /api/v6 [env: SITECTL_BASE_URL, and SITECTL_TOKEN for the token]' -r
complete -c sitectl -n "__fish_sitectl_using_subcommand clients; and __fish_seen_subcommand_from apply" -l ca-cert -d 'Trust the certificates in this PEM file, in place of the system\'s [env: SSL_CERT_FILE]' -r -F
complete -c sitectl -n "__fish_sitectl_using_subcommand clients; and __fish_seen_subcommand_from apply" -s o -l output -d 'How to print the result [env: SITECTL_OUTPUT] [default: table]' -r -f -a "table\t''
json\t''
ndjson\t''
csv\t''
yaml\t''
ids\t''"
complete -c sitectl -n "__fish_sitectl_using_subcommand clients; and __fish_seen_subcommand_from apply" -l fields -d 'Print these fields, in this order; a field inside another is a.b' -r
complete -c sitectl -n "__fish_sitectl_using_subcommand clients; and __fish_seen_subcommand_from apply" -l jq -d 'Filter the JSON result with jq; strings print raw' -r
complete -c sitectl -n "__fish_sitectl_using_subcommand clients; and __fish_seen_subcommand_from apply" -l color -d 'When to use colour [env: NO_COLOR, CLICOLOR_FORCE]' -r -f -a "auto\t''
always\t''
never\t''"
complete -c sitectl -n "__fish_sitectl_using_subcommand clients; and __fish_seen_subcommand_from apply" -l request-timeout -d 'The longest that one request may take [default: 30s]' -r
complete -c sitectl -n "__fish_sitectl_using_subcommand clients; and __fish_seen_subcommand_from apply" -l retries -d 'How often a request that may be repeated is tried again [default: 4]' -r
complete -c sitectl -n "__fish_sitectl_using_subcommand clients; and __fish_seen_subcommand_from apply" -l dry-run -d 'Print what would change, and change nothing'
complete -c sitectl -n "__fish_sitectl_using_subcommand clients; and __fish_seen_subcommand_from apply" -l prune -d 'Delete the clients that are not in the file (a pipe that breaks off looks like a short file)'
complete -c sitectl -n "__fish_sitectl_using_subcommand clients; and __fish_seen_subcommand_from apply" -s y -l yes -d 'Do not ask; a protected profile still asks for its name'
complete -c sitectl -n "__fish_sitectl_using_subcommand clients; and __fish_seen_subcommand_from apply" -l sandbox -d 'Run against the embedded practice service [env: SITECTL_SANDBOX=1]'
complete -c sitectl -n "__fish_sitectl_using_subcommand clients; and __fish_seen_subcommand_from apply" -l json -d 'The same as --output json'
complete -c sitectl -n "__fish_sitectl_using_subcommand clients; and __fish_seen_subcommand_from apply" -l no-header -d 'Leave out the header row of table and csv'
complete -c sitectl -n "__fish_sitectl_using_subcommand clients; and __fish_seen_subcommand_from apply" -s q -l quiet -d 'No progress, no hints; errors still print'
complete -c sitectl -n "__fish_sitectl_using_subcommand clients; and __fish_seen_subcommand_from apply" -s v -l verbose -d 'Show each HTTP exchange on stderr; twice for headers and bodies'
complete -c sitectl -n "__fish_sitectl_using_subcommand clients; and __fish_seen_subcommand_from apply" -l no-input -d 'Never ask anything; implied where stdin is not a terminal'
complete -c sitectl -n "__fish_sitectl_using_subcommand clients; and __fish_seen_subcommand_from apply" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c sitectl -n "__fish_sitectl_using_subcommand clients; and __fish_seen_subcommand_from create" -l first-name -d 'First name, at most 255 characters' -r
complete -c sitectl -n "__fish_sitectl_using_subcommand clients; and __fish_seen_subcommand_from create" -l last-name -d 'Last name, at most 255 characters' -r
complete -c sitectl -n "__fish_sitectl_using_subcommand clients; and __fish_seen_subcommand_from create" -l email -d 'Email, which no other client may have' -r
complete -c sitectl -n "__fish_sitectl_using_subcommand clients; and __fish_seen_subcommand_from create" -l company-name -d 'Company name, at most 255 characters' -r
complete -c sitectl -n "__fish_sitectl_using_subcommand clients; and __fish_seen_subcommand_from create" -l address -d 'Postal address, at most 2000 characters' -r
complete -c sitectl -n "__fish_sitectl_using_subcommand clients; and __fish_seen_subcommand_from create" -l note -d 'Anything worth remembering, at most 5000 characters' -r
complete -c sitectl -n "__fish_sitectl_using_subcommand clients; and __fish_seen_subcommand_from create" -l from-file -d 'Take the fields from a JSON object in a file, or - for stdin; flags go before it' -r
complete -c sitectl -n "__fish_sitectl_using_subcommand clients; and __fish_seen_subcommand_from create" -l site -d 'A site to group under the client; can be given several times' -r
complete -c sitectl -n "__fish_sitectl_using_subcommand clients; and __fish_seen_subcommand_from create" -l if-exists -d 'What to do where a client with this email is there already' -r -f -a "fail\t'End with exit code 5'
skip\t'Leave it as it is, and print it'
update\t'Change it where it differs from what is given'"
complete -c sitectl -n "__fish_sitectl_using_subcommand clients; and __fish_seen_subcommand_from create" -l confirm -d 'The profile that is meant: answers where a protected one asks for its name; refused where another is in use' -r
complete -c sitectl -n "__fish_sitectl_using_subcommand clients; and __fish_seen_subcommand_from create" -l profile -d 'Use this profile of the config file [env: SITECTL_PROFILE]' -r
complete -c sitectl -n "__fish_sitectl_using_subcommand clients; and __fish_seen_subcommand_from create" -l base-url -d 'The service\'s address, ends in /api/v6 [env: SITECTL_BASE_URL, and SITECTL_TOKEN for the token]' -r
complete -c sitectl -n "__fish_sitectl_using_subcommand clients; and __fish_seen_subcommand_from create" -l ca-cert -d 'Trust the certificates in this PEM file, in place of the system\'s [env: SSL_CERT_FILE]' -r -F
complete -c sitectl -n "__fish_sitectl_using_subcommand clients; and __fish_seen_subcommand_from create" -s o -l output -d 'How to print the result [env: SITECTL_OUTPUT] [default: table]' -r -f -a "table\t''
json\t''
ndjson\t''
csv\t''
yaml\t''
ids\t''"
complete -c sitectl -n "__fish_sitectl_using_subcommand clients; and __fish_seen_subcommand_from create" -l fields -d 'Print these fields, in this order; a field inside another is a.b' -r
complete -c sitectl -n "__fish_sitectl_using_subcommand clients; and __fish_seen_subcommand_from create" -l jq -d 'Filter the JSON result with jq; strings print raw' -r
complete -c sitectl -n "__fish_sitectl_using_subcommand clients; and __fish_seen_subcommand_from create" -l color -d 'When to use colour [env: NO_COLOR, CLICOLOR_FORCE]' -r -f -a "auto\t''
always\t''
never\t''"
complete -c sitectl -n "__fish_sitectl_using_subcommand clients; and __fish_seen_subcommand_from create" -l request-timeout -d 'The longest that one request may take [default: 30s]' -r
complete -c sitectl -n "__fish_sitectl_using_subcommand clients; and __fish_seen_subcommand_from create" -l retries -d 'How often a request that may be repeated is tried again [default: 4]' -r
complete -c sitectl -n "__fish_sitectl_using_subcommand clients; and __fish_seen_subcommand_from create" -l sandbox -d 'Run against the embedded practice service [env: SITECTL_SANDBOX=1]'
complete -c sitectl -n "__fish_sitectl_using_subcommand clients; and __fish_seen_subcommand_from create" -l json -d 'The same as --output json'
complete -c sitectl -n "__fish_sitectl_using_subcommand clients; and __fish_seen_subcommand_from create" -l no-header -d 'Leave out the header row of table and csv'
complete -c sitectl -n "__fish_sitectl_using_subcommand clients; and __fish_seen_subcommand_from create" -s q -l quiet -d 'No progress, no hints; errors still print'
complete -c sitectl -n "__fish_sitectl_using_subcommand clients; and __fish_seen_subcommand_from create" -s v -l verbose -d 'Show each HTTP exchange on stderr; twice for headers and bodies'
complete -c sitectl -n "__fish_sitectl_using_subcommand clients; and __fish_seen_subcommand_from create" -l no-input -d 'Never ask anything; implied where stdin is not a terminal'
complete -c sitectl -n "__fish_sitectl_using_subcommand clients; and __fish_seen_subcommand_from create" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c sitectl -n "__fish_sitectl_using_subcommand clients; and __fish_seen_subcommand_from delete" -l from-file -d 'A file of ids or emails, one a line' -r
complete -c sitectl -n "__fish_sitectl_using_subcommand clients; and __fish_seen_subcommand_from delete" -l confirm -d 'The profile that is meant: answers where a protected one asks for its name; refused where another is in use' -r
complete -c sitectl -n "__fish_sitectl_using_subcommand clients; and __fish_seen_subcommand_from delete" -l profile -d 'Use this profile of the config file [env: SITECTL_PROFILE]' -r
complete -c sitectl -n "__fish_sitectl_using_subcommand clients; and __fish_seen_subcommand_from delete" -l base-url -d 'The service\'s address, ends in /api/v6 [env: SITECTL_BASE_URL, and SITECTL_TOKEN for the token]' -r
complete -c sitectl -n "__fish_sitectl_using_subcommand clients; and __fish_seen_subcommand_from delete" -l ca-cert -d 'Trust the certificates in this PEM file, in place of the system\'s [env: SSL_CERT_FILE]' -r -F
complete -c sitectl -n "__fish_sitectl_using_subcommand clients; and __fish_seen_subcommand_from delete" -s o -l output -d 'How to print the result [env: SITECTL_OUTPUT] [default: table]' -r -f -a "table\t''
json\t''
ndjson\t''
csv\t''
yaml\t''
ids\t''"
complete -c sitectl -n "__fish_sitectl_using_subcommand clients; and __fish_seen_subcommand_from delete" -l fields -d 'Print these fields, in this order; a field inside another is a.b' -r
complete -c sitectl -n "__fish_sitectl_using_subcommand clients; and __fish_seen_subcommand_from delete" -l jq -d 'Filter the JSON result with jq; strings print raw' -r
complete -c sitectl -n "__fish_sitectl_using_subcommand clients; and __fish_seen_subcommand_from delete" -l color -d 'When to use colour [env: NO_COLOR, CLICOLOR_FORCE]' -r -f -a "auto\t''
always\t''
never\t''"
complete -c sitectl -n "__fish_sitectl_using_subcommand clients; and __fish_seen_subcommand_from delete" -l request-timeout -d 'The longest that one request may take [default: 30s]' -r
complete -c sitectl -n "__fish_sitectl_using_subcommand clients; and __fish_seen_subcommand_from delete" -l retries -d 'How often a request that may be repeated is tried again [default: 4]' -r
complete -c sitectl -n "__fish_sitectl_using_subcommand clients; and __fish_seen_subcommand_from delete" -s y -l yes -d 'Do not ask; a protected profile still asks for its name'
complete -c sitectl -n "__fish_sitectl_using_subcommand clients; and __fish_seen_subcommand_from delete" -l ignore-not-found -d 'A client that does not exist is no error'
complete -c sitectl -n "__fish_sitectl_using_subcommand clients; and __fish_seen_subcommand_from delete" -l sandbox -d 'Run against the embedded practice service [env: SITECTL_SANDBOX=1]'
complete -c sitectl -n "__fish_sitectl_using_subcommand clients; and __fish_seen_subcommand_from delete" -l json -d 'The same as --output json'
complete -c sitectl -n "__fish_sitectl_using_subcommand clients; and __fish_seen_subcommand_from delete" -l no-header -d 'Leave out the header row of table and csv'
complete -c sitectl -n "__fish_sitectl_using_subcommand clients; and __fish_seen_subcommand_from delete" -s q -l quiet -d 'No progress, no hints; errors still print'
complete -c sitectl -n "__fish_sitectl_using_subcommand clients; and __fish_seen_subcommand_from delete" -s v -l verbose -d 'Show each HTTP exchange on stderr; twice for headers and bodies'
complete -c sitectl -n "__fish_sitectl_using_subcommand clients; and __fish_seen_subcommand_from delete" -l no-input -d 'Never ask anything; implied where stdin is not a terminal'
complete -c sitectl -n "__fish_sitectl_using_subcommand clients; and __fish_seen_subcommand_from delete" -s h -l help -d 'Print help'
complete -c sitectl -n "__fish_sitectl_using_subcommand clients; and __fish_seen_subcommand_from list" -l search -d 'Text in the first or last name, email or company name' -r
complete -c sitectl -n "__fish_sitectl_using_subcommand clients; and __fish_seen_subcommand_from list" -l first-name -d 'Text in the first name' -r
complete -c sitectl -n "__fish_sitectl_using_subcommand clients; and __fish_seen_subcommand_from list" -l last-name -d 'Text in the last name' -r
complete -c sitectl -n "__fish_sitectl_using_subcommand clients; and __fish_seen_subcommand_from list" -l email -d 'Text in the email' -r
complete -c sitectl -n "__fish_sitectl_using_subcommand clients; and __fish_seen_subcommand_from list" -l company-name -d 'Text in the company name' -r
complete -c sitectl -n "__fish_sitectl_using_subcommand clients; and __fish_seen_subcommand_from list" -l created-since -d 'Created at or after this time, date or age (12h, 7d)' -r
complete -c sitectl -n "__fish_sitectl_using_subcommand clients; and __fish_seen_subcommand_from list" -l created-until -d 'Created at or before this time, date or age' -r
complete -c sitectl -n "__fish_sitectl_using_subcommand clients; and __fish_seen_subcommand_from list" -l updated-since -d 'Changed at or after this time, date or age (12h, 7d)' -r
complete -c sitectl -n "__fish_sitectl_using_subcommand clients; and __fish_seen_subcommand_from list" -l updated-until -d 'Changed at or before this time, date or age' -r
complete -c sitectl -n "__fish_sitectl_using_subcommand clients; and __fish_seen_subcommand_from list" -l filter -d 'Only records for which all of these hold [possible filters: search:contains, first_name:contains, last_name:contains, email:contains, company_name:contains, created_at:gte|lte, updated_at:gte|lte]' -r
complete -c sitectl -n "__fish_sitectl_using_subcommand clients; and __fish_seen_subcommand_from list" -l sort -d 'Order by a field, asc unless said otherwise [possible fields: first_name, last_name, email, company_name, created_at, updated_at]' -r -f -a "first_name\t''
last_name\t''
email\t''
company_name\t''
created_at\t''
updated_at\t''"
complete -c sitectl -n "__fish_sitectl_using_subcommand clients; and __fish_seen_subcommand_from list" -l timezone -d 'Time zone of dates in created_at filters, such as Europe/Berlin' -r
complete -c sitectl -n "__fish_sitectl_using_subcommand clients; and __fish_seen_subcommand_from list" -l limit -d 'Stop after N records' -r
complete -c sitectl -n "__fish_sitectl_using_subcommand clients; and __fish_seen_subcommand_from list" -l page -d 'Only this page, counted from 1' -r
complete -c sitectl -n "__fish_sitectl_using_subcommand clients; and __fish_seen_subcommand_from list" -l per-page -d 'Rows in a page [default: as many as are needed, up to 1000]' -r
complete -c sitectl -n "__fish_sitectl_using_subcommand clients; and __fish_seen_subcommand_from list" -l concurrency -d 'Pages that are fetched at a time [default: 8]' -r
complete -c sitectl -n "__fish_sitectl_using_subcommand clients; and __fish_seen_subcommand_from list" -l profile -d 'Use this profile of the config file [env: SITECTL_PROFILE]' -r
complete -c sitectl -n "__fish_sitectl_using_subcommand clients; and __fish_seen_subcommand_from list" -l base-url -d 'The service\'s address, ends in /api/v6 [env: SITECTL_BASE_URL, and SITECTL_TOKEN for the token]' -r
complete -c sitectl -n "__fish_sitectl_using_subcommand clients; and __fish_seen_subcommand_from list" -l ca-cert -d 'Trust the certificates in this PEM file, in place of the system\'s [env: SSL_CERT_FILE]' -r -F
complete -c sitectl -n "__fish_sitectl_using_subcommand clients; and __fish_seen_subcommand_from list" -s o -l output -d 'How to print the result [env: SITECTL_OUTPUT] [default: table]' -r -f -a "table\t''
json\t''
ndjson\t''
csv\t''
yaml\t''
ids\t''"
complete -c sitectl -n "__fish_sitectl_using_subcommand clients; and __fish_seen_subcommand_from list" -l fields -d 'Print these fields, in this order; a field inside another is a.b' -r
complete -c sitectl -n "__fish_sitectl_using_subcommand clients; and __fish_seen_subcommand_from list" -l jq -d 'Filter the JSON result with jq; strings print raw' -r
complete -c sitectl -n "__fish_sitectl_using_subcommand clients; and __fish_seen_subcommand_from list" -l color -d 'When to use colour [env: NO_COLOR, CLICOLOR_FORCE]' -r -f -a "auto\t''
always\t''
never\t''"
complete -c sitectl -n "__fish_sitectl_using_subcommand clients; and __fish_seen_subcommand_from list" -l request-timeout -d 'The longest that one request may take [default: 30s]' -r
complete -c sitectl -n "__fish_sitectl_using_subcommand clients; and __fish_seen_subcommand_from list" -l retries -d 'How often a request that may be repeated is tried again [default: 4]' -r
complete -c sitectl -n "__fish_sitectl_using_subcommand clients; and __fish_seen_subcommand_from list" -l verify -d 'Read until two readings agree: finds also what totals cannot show'
complete -c sitectl -n "__fish_sitectl_using_subcommand clients; and __fish_seen_subcommand_from list" -l sandbox -d 'Run against the embedded practice service [env: SITECTL_SANDBOX=1]'
complete -c sitectl -n "__fish_sitectl_using_subcommand clients; and __fish_seen_subcommand_from list" -l json -d 'The same as --output json'
complete -c sitectl -n "__fish_sitectl_using_subcommand clients; and __fish_seen_subcommand_from list" -l no-header -d 'Leave out the header row of table and csv'
complete -c sitectl -n "__fish_sitectl_using_subcommand clients; and __fish_seen_subcommand_from list" -s q -l quiet -d 'No progress, no hints; errors still print'
complete -c sitectl -n "__fish_sitectl_using_subcommand clients; and __fish_seen_subcommand_from list" -s v -l verbose -d 'Show each HTTP exchange on stderr; twice for headers and bodies'
complete -c sitectl -n "__fish_sitectl_using_subcommand clients; and __fish_seen_subcommand_from list" -l no-input -d 'Never ask anything; implied where stdin is not a terminal'
complete -c sitectl -n "__fish_sitectl_using_subcommand clients; and __fish_seen_subcommand_from list" -s h -l help -d 'Print help'
complete -c sitectl -n "__fish_sitectl_using_subcommand clients; and __fish_seen_subcommand_from show" -l profile -d 'Use this profile of the config file [env: SITECTL_PROFILE]' -r
complete -c sitectl -n "__fish_sitectl_using_subcommand clients; and __fish_seen_subcommand_from show" -l base-url -d 'The service\'s address, ends in /api/v6 [env: SITECTL_BASE_URL, and SITECTL_TOKEN for the token]' -r
complete -c sitectl -n "__fish_sitectl_using_subcommand clients; and __fish_seen_subcommand_from show" -l ca-cert -d 'Trust the certificates in this PEM file, in place of the system\'s [env: SSL_CERT_FILE]' -r -F
complete -c sitectl -n "__fish_sitectl_using_subcommand clients; and __fish_seen_subcommand_from show" -s o -l output -d 'How to print the result [env: SITECTL_OUTPUT] [default: table]' -r -f -a "table\t''
json\t''
ndjson\t''
csv\t''
yaml\t''
ids\t''"
complete -c sitectl -n "__fish_sitectl_using_subcommand clients; and __fish_seen_subcommand_from show" -l fields -d 'Print these fields, in this order; a field inside another is a.b' -r
complete -c sitectl -n "__fish_sitectl_using_subcommand clients; and __fish_seen_subcommand_from show" -l jq -d 'Filter the JSON result with jq; strings print raw' -r
complete -c sitectl -n "__fish_sitectl_using_subcommand clients; and __fish_seen_subcommand_from show" -l color -d 'When to use colour [env: NO_COLOR, CLICOLOR_FORCE]' -r -f -a "auto\t''
always\t''
never\t''"
complete -c sitectl -n "__fish_sitectl_using_subcommand clients; and __fish_seen_subcommand_from show" -l request-timeout -d 'The longest that one request may take [default: 30s]' -r
complete -c sitectl -n "__fish_sitectl_using_subcommand clients; and __fish_seen_subcommand_from show" -l retries -d 'How often a request that may be repeated is tried again [default: 4]' -r
complete -c sitectl -n "__fish_sitectl_using_subcommand clients; and __fish_seen_subcommand_from show" -l sandbox -d 'Run against the embedded practice service [env: SITECTL_SANDBOX=1]'
complete -c sitectl -n "__fish_sitectl_using_subcommand clients; and __fish_seen_subcommand_from show" -l json -d 'The same as --output json'
complete -c sitectl -n "__fish_sitectl_using_subcommand clients; and __fish_seen_subcommand_from show" -l no-header -d 'Leave out the header row of table and csv'
complete -c sitectl -n "__fish_sitectl_using_subcommand clients; and __fish_seen_subcommand_from show" -s q -l quiet -d 'No progress, no hints; errors still print'
complete -c sitectl -n "__fish_sitectl_using_subcommand clients; and __fish_seen_subcommand_from show" -s v -l verbose -d 'Show each HTTP exchange on stderr; twice for headers and bodies'
complete -c sitectl -n "__fish_sitectl_using_subcommand clients; and __fish_seen_subcommand_from show" -l no-input -d 'Never ask anything; implied where stdin is not a terminal'
complete -c sitectl -n "__fish_sitectl_using_subcommand clients; and __fish_seen_subcommand_from show" -s h -l help -d 'Print help'
complete -c sitectl -n "__fish_sitectl_using_subcommand clients; and __fish_seen_subcommand_from update" -l first-name -d 'First name, at most 255 characters' -r
complete -c sitectl -n "__fish_sitectl_using_subcommand clients; and __fish_seen_subcommand_from update" -l last-name -d 'Last name, at most 255 characters' -r
complete -c sitectl -n "__fish_sitectl_using_subcommand clients; and __fish_seen_subcommand_from update" -l email -d 'Email, which no other client may have' -r
complete -c sitectl -n "__fish_sitectl_using_subcommand clients; and __fish_seen_subcommand_from update" -l company-name -d 'Company name, at most 255 characters' -r
complete -c sitectl -n "__fish_sitectl_using_subcommand clients; and __fish_seen_subcommand_from update" -l address -d 'Postal address, at most 2000 characters' -r
complete -c sitectl -n "__fish_sitectl_using_subcommand clients; and __fish_seen_subcommand_from update" -l note -d 'Anything worth remembering, at most 5000 characters' -r
complete -c sitectl -n "__fish_sitectl_using_subcommand clients; and __fish_seen_subcommand_from update" -l from-file -d 'Take the fields from a JSON object in a file, or - for stdin; flags go before it' -r
complete -c sitectl -n "__fish_sitectl_using_subcommand clients; and __fish_seen_subcommand_from update" -l add-site -d 'Group this site under the client too; can be given several times' -r
complete -c sitectl -n "__fish_sitectl_using_subcommand clients; and __fish_seen_subcommand_from update" -l remove-site -d 'Take this site from the client; can be given several times' -r
complete -c sitectl -n "__fish_sitectl_using_subcommand clients; and __fish_seen_subcommand_from update" -l set-site -d 'Group exactly these sites under the client; can be given several times' -r
complete -c sitectl -n "__fish_sitectl_using_subcommand clients; and __fish_seen_subcommand_from update" -l confirm -d 'The profile that is meant: answers where a protected one asks for its name; refused where another is in use' -r
complete -c sitectl -n "__fish_sitectl_using_subcommand clients; and __fish_seen_subcommand_from update" -l profile -d 'Use this profile of the config file [env: SITECTL_PROFILE]' -r
complete -c sitectl -n "__fish_sitectl_using_subcommand clients; and __fish_seen_subcommand_from update" -l base-url -d 'The service\'s address, ends in /api/v6 [env: SITECTL_BASE_URL, and SITECTL_TOKEN for the token]' -r
complete -c sitectl -n "__fish_sitectl_using_subcommand clients; and __fish_seen_subcommand_from update" -l ca-cert -d 'Trust the certificates in this PEM file, in place of the system\'s [env: SSL_CERT_FILE]' -r -F
complete -c sitectl -n "__fish_sitectl_using_subcommand clients; and __fish_seen_subcommand_from update" -s o -l output -d 'How to print the result [env: SITECTL_OUTPUT] [default: table]' -r -f -a "table\t''
json\t''
ndjson\t''
csv\t''
yaml\t''
ids\t''"
complete -c sitectl -n "__fish_sitectl_using_subcommand clients; and __fish_seen_subcommand_from update" -l fields -d 'Print these fields, in this order; a field inside another is a.b' -r
complete -c sitectl -n "__fish_sitectl_using_subcommand clients; and __fish_seen_subcommand_from update" -l jq -d 'Filter the JSON result with jq; strings print raw' -r
complete -c sitectl -n "__fish_sitectl_using_subcommand clients; and __fish_seen_subcommand_from update" -l color -d 'When to use colour [env: NO_COLOR, CLICOLOR_FORCE]' -r -f -a "auto\t''
always\t''
never\t''"
complete -c sitectl -n "__fish_sitectl_using_subcommand clients; and __fish_seen_subcommand_from update" -l request-timeout -d 'The longest that one request may take [default: 30s]' -r
complete -c sitectl -n "__fish_sitectl_using_subcommand clients; and __fish_seen_subcommand_from update" -l retries -d 'How often a request that may be repeated is tried again [default: 4]' -r
complete -c sitectl -n "__fish_sitectl_using_subcommand clients; and __fish_seen_subcommand_from update" -l clear-sites -d 'Take all sites from the client'
complete -c sitectl -n "__fish_sitectl_using_subcommand clients; and __fish_seen_subcommand_from update" -l sandbox -d 'Run against the embedded practice service [env: SITECTL_SANDBOX=1]'
complete -c sitectl -n "__fish_sitectl_using_subcommand clients; and __fish_seen_subcommand_from update" -l json -d 'The same as --output json'
complete -c sitectl -n "__fish_sitectl_using_subcommand clients; and __fish_seen_subcommand_from update" -l no-header -d 'Leave out the header row of table and csv'
complete -c sitectl -n "__fish_sitectl_using_subcommand clients; and __fish_seen_subcommand_from update" -s q -l quiet -d 'No progress, no hints; errors still print'
complete -c sitectl -n "__fish_sitectl_using_subcommand clients; and __fish_seen_subcommand_from update" -s v -l verbose -d 'Show each HTTP exchange on stderr; twice for headers and bodies'
complete -c sitectl -n "__fish_sitectl_using_subcommand clients; and __fish_seen_subcommand_from update" -l no-input -d 'Never ask anything; implied where stdin is not a terminal'
complete -c sitectl -n "__fish_sitectl_using_subcommand clients; and __fish_seen_subcommand_from update" -s h -l help -d 'Print help'
complete -c sitectl -n "__fish_sitectl_using_subcommand clients; and __fish_seen_subcommand_from help" -f -a "apply" -d 'Make the account\'s clients match a file: create, update and, with --prune, delete them'
complete -c sitectl -n "__fish_sitectl_using_subcommand clients; and __fish_seen_subcommand_from help" -f -a "create" -d 'Create a client. On a terminal, what is missing is asked for'
complete -c sitectl -n "__fish_sitectl_using_subcommand clients; and __fish_seen_subcommand_from help" -f -a "delete" -d 'Delete clients; their sites stay, and belong to no client'
complete -c sitectl -n "__fish_sitectl_using_subcommand clients; and __fish_seen_subcommand_from help" -f -a "list" -d 'List clients: all of them, newest first, or those that match'
complete -c sitectl -n "__fish_sitectl_using_subcommand clients; and __fish_seen_subcommand_from help" -f -a "show" -d 'Show one client, all its fields'
complete -c sitectl -n "__fish_sitectl_using_subcommand clients; and __fish_seen_subcommand_from help" -f -a "update" -d 'Change a client\'s details, note or sites; what is not named stays as it is'
complete -c sitectl -n "__fish_sitectl_using_subcommand clients; and __fish_seen_subcommand_from help" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c sitectl -n "__fish_sitectl_using_subcommand managed-accounts; and not __fish_seen_subcommand_from list show help" -l profile -d 'Use this profile of the config file [env: SITECTL_PROFILE]' -r
complete -c sitectl -n "__fish_sitectl_using_subcommand managed-accounts; and not __fish_seen_subcommand_from list show help" -l base-url -d 'The service\'s address, ends in /api/v6 [env: SITECTL_BASE_URL, and SITECTL_TOKEN for the token]' -r
complete -c sitectl -n "__fish_sitectl_using_subcommand managed-accounts; and not __fish_seen_subcommand_from list show help" -l ca-cert -d 'Trust the certificates in this PEM file, in place of the system\'s [env: SSL_CERT_FILE]' -r -F
complete -c sitectl -n "__fish_sitectl_using_subcommand managed-accounts; and not __fish_seen_subcommand_from list show help" -s o -l output -d 'How to print the result [env: SITECTL_OUTPUT] [default: table]' -r -f -a "table\t''
json\t''
ndjson\t''
csv\t''
yaml\t''
ids\t''"
complete -c sitectl -n "__fish_sitectl_using_subcommand managed-accounts; and not __fish_seen_subcommand_from list show help" -l fields -d 'Print these fields, in this order; a field inside another is a.b' -r
complete -c sitectl -n "__fish_sitectl_using_subcommand managed-accounts; and not __fish_seen_subcommand_from list show help" -l jq -d 'Filter the JSON result with jq; strings print raw' -r
complete -c sitectl -n "__fish_sitectl_using_subcommand managed-accounts; and not __fish_seen_subcommand_from list show help" -l color -d 'When to use colour [env: NO_COLOR, CLICOLOR_FORCE]' -r -f -a "auto\t''
always\t''
never\t''"
complete -c sitectl -n "__fish_sitectl_using_subcommand managed-accounts; and not __fish_seen_subcommand_from list show help" -l request-timeout -d 'The longest that one request may take [default: 30s]' -r
complete -c sitectl -n "__fish_sitectl_using_subcommand managed-accounts; and not __fish_seen_subcommand_from list show help" -l retries -d 'How often a request that may be repeated is tried again [default: 4]' -r
complete -c sitectl -n "__fish_sitectl_using_subcommand managed-accounts; and not __fish_seen_subcommand_from list show help" -l sandbox -d 'Run against the embedded practice service [env: SITECTL_SANDBOX=1]'
complete -c sitectl -n "__fish_sitectl_using_subcommand managed-accounts; and not __fish_seen_subcommand_from list show help" -l json -d 'The same as --output json'
complete -c sitectl -n "__fish_sitectl_using_subcommand managed-accounts; and not __fish_seen_subcommand_from list show help" -l no-header -d 'Leave out the header row of table and csv'
complete -c sitectl -n "__fish_sitectl_using_subcommand managed-accounts; and not __fish_seen_subcommand_from list show help" -s q -l quiet -d 'No progress, no hints; errors still print'
complete -c sitectl -n "__fish_sitectl_using_subcommand managed-accounts; and not __fish_seen_subcommand_from list show help" -s v -l verbose -d 'Show each HTTP exchange on stderr; twice for headers and bodies'
complete -c sitectl -n "__fish_sitectl_using_subcommand managed-accounts; and not __fish_seen_subcommand_from list show help" -l no-input -d 'Never ask anything; implied where stdin is not a terminal'
complete -c sitectl -n "__fish_sitectl_using_subcommand managed-accounts; and not __fish_seen_subcommand_from list show help" -s h -l help -d 'Print help'
complete -c sitectl -n "__fish_sitectl_using_subcommand managed-accounts; and not __fish_seen_subcommand_from list show help" -f -a "list" -d 'List managed accounts and invitations: all of them, newest first, or those that match'
complete -c sitectl -n "__fish_sitectl_using_subcommand managed-accounts; and not __fish_seen_subcommand_from list show help" -f -a "show" -d 'Show one managed account, all its fields'
complete -c sitectl -n "__fish_sitectl_using_subcommand managed-accounts; and not __fish_seen_subcommand_from list show help" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c sitectl -n "__fish_sitectl_using_subcommand managed-accounts; and __fish_seen_subcommand_from list" -l email -d 'Text in the owner\'s email' -r
complete -c sitectl -n "__fish_sitectl_using_subcommand managed-accounts; and __fish_seen_subcommand_from list" -l role -d 'The caller\'s role; several, separated by commas [possible values: collaborator, administrator, co_owner]' -r -f -a "collaborator\t''
administrator\t''
co_owner\t''"
complete -c sitectl -n "__fish_sitectl_using_subcommand managed-accounts; and __fish_seen_subcommand_from list" -l company-name -d 'Text in the company name' -r
complete -c sitectl -n "__fish_sitectl_using_subcommand managed-accounts; and __fish_seen_subcommand_from list" -l status -d 'The status; several, separated by commas [possible values: pending, connected]' -r -f -a "pending\t''
connected\t''"
complete -c sitectl -n "__fish_sitectl_using_subcommand managed-accounts; and __fish_seen_subcommand_from list" -l all-sites-access -d 'Whether access covers every site' -r -f -a "true\t''
false\t''"
complete -c sitectl -n "__fish_sitectl_using_subcommand managed-accounts; and __fish_seen_subcommand_from list" -l created-since -d 'Created at or after this time, date or age (12h, 7d)' -r
complete -c sitectl -n "__fish_sitectl_using_subcommand managed-accounts; and __fish_seen_subcommand_from list" -l created-until -d 'Created at or before this time, date or age' -r
complete -c sitectl -n "__fish_sitectl_using_subcommand managed-accounts; and __fish_seen_subcommand_from list" -l updated-since -d 'Changed at or after this time, date or age (12h, 7d)' -r
complete -c sitectl -n "__fish_sitectl_using_subcommand managed-accounts; and __fish_seen_subcommand_from list" -l updated-until -d 'Changed at or before this time, date or age' -r
complete -c sitectl -n "__fish_sitectl_using_subcommand managed-accounts; and __fish_seen_subcommand_from list" -l filter -d 'Only records for which all of these hold [possible filters: email:contains, role:eq|in, company_name:contains, status:eq|in, all_sites_access:eq, created_at:gte|lte, updated_at:gte|lte]' -r
complete -c sitectl -n "__fish_sitectl_using_subcommand managed-accounts; and __fish_seen_subcommand_from list" -l sort -d 'Order by a field, asc unless said otherwise [possible fields: status, created_at, updated_at]' -r -f -a "status\t''
created_at\t''
updated_at\t''"
complete -c sitectl -n "__fish_sitectl_using_subcommand managed-accounts; and __fish_seen_subcommand_from list" -l timezone -d 'Time zone of dates in created_at filters, such as Europe/Berlin' -r
complete -c sitectl -n "__fish_sitectl_using_subcommand managed-accounts; and __fish_seen_subcommand_from list" -l limit -d 'Stop after N records' -r
complete -c sitectl -n "__fish_sitectl_using_subcommand managed-accounts; and __fish_seen_subcommand_from list" -l page -d 'Only this page, counted from 1' -r
complete -c sitectl -n "__fish_sitectl_using_subcommand managed-accounts; and __fish_seen_subcommand_from list" -l per-page -d 'Rows in a page [default: as many as are needed, up to 1000]' -r
complete -c sitectl -n "__fish_sitectl_using_subcommand managed-accounts; and __fish_seen_subcommand_from list" -l concurrency -d 'Pages that are fetched at a time [default: 8]' -r
complete -c sitectl -n "__fish_sitectl_using_subcommand managed-accounts; and __fish_seen_subcommand_from list" -l profile -d 'Use this profile of the config file [env: SITECTL_PROFILE]' -r
complete -c sitectl -n "__fish_sitectl_using_subcommand managed-accounts; and __fish_seen_subcommand_from list" -l base-url -d 'The service\'s address, ends in /api/v6 [env: SITECTL_BASE_URL, and SITECTL_TOKEN for the token]' -r
complete -c sitectl -n "__fish_sitectl_using_subcommand managed-accounts; and __fish_seen_subcommand_from list" -l ca-cert -d 'Trust the certificates in this PEM file, in place of the system\'s [env: SSL_CERT_FILE]' -r -F
complete -c sitectl -n "__fish_sitectl_using_subcommand managed-accounts; and __fish_seen_subcommand_from list" -s o -l output -d 'How to print the result [env: SITECTL_OUTPUT] [default: table]' -r -f -a "table\t''
json\t''
ndjson\t''
csv\t''
yaml\t''
ids\t''"
complete -c sitectl -n "__fish_sitectl_using_subcommand managed-accounts; and __fish_seen_subcommand_from list" -l fields -d 'Print these fields, in this order; a field inside another is a.b' -r
complete -c sitectl -n "__fish_sitectl_using_subcommand managed-accounts; and __fish_seen_subcommand_from list" -l jq -d 'Filter the JSON result with jq; strings print raw' -r
complete -c sitectl -n "__fish_sitectl_using_subcommand managed-accounts; and __fish_seen_subcommand_from list" -l color -d 'When to use colour [env: NO_COLOR, CLICOLOR_FORCE]' -r -f -a "auto\t''
always\t''
never\t''"
complete -c sitectl -n "__fish_sitectl_using_subcommand managed-accounts; and __fish_seen_subcommand_from list" -l request-timeout -d 'The longest that one request may take [default: 30s]' -r
complete -c sitectl -n "__fish_sitectl_using_subcommand managed-accounts; and __fish_seen_subcommand_from list" -l retries -d 'How often a request that may be repeated is tried again [default: 4]' -r
complete -c sitectl -n "__fish_sitectl_using_subcommand managed-accounts; and __fish_seen_subcommand_from list" -l verify -d 'Read until two readings agree: finds also what totals cannot show'
complete -c sitectl -n "__fish_sitectl_using_subcommand managed-accounts; and __fish_seen_subcommand_from list" -l sandbox -d 'Run against the embedded practice service [env: SITECTL_SANDBOX=1]'
complete -c sitectl -n "__fish_sitectl_using_subcommand managed-accounts; and __fish_seen_subcommand_from list" -l json -d 'The same as --output json'
complete -c sitectl -n "__fish_sitectl_using_subcommand managed-accounts; and __fish_seen_subcommand_from list" -l no-header -d 'Leave out the header row of table and csv'
complete -c sitectl -n "__fish_sitectl_using_subcommand managed-accounts; and __fish_seen_subcommand_from list" -s q -l quiet -d 'No progress, no hints; errors still print'
complete -c sitectl -n "__fish_sitectl_using_subcommand managed-accounts; and __fish_seen_subcommand_from list" -s v -l verbose -d 'Show each HTTP exchange on stderr; twice for headers and bodies'
complete -c sitectl -n "__fish_sitectl_using_subcommand managed-accounts; and __fish_seen_subcommand_from list" -l no-input -d 'Never ask anything; implied where stdin is not a terminal'
complete -c sitectl -n "__fish_sitectl_using_subcommand managed-accounts; and __fish_seen_subcommand_from list" -s h -l help -d 'Print help'
complete -c sitectl -n "__fish_sitectl_using_subcommand managed-accounts; and __fish_seen_subcommand_from show" -l profile -d 'Use this profile of the config file [env: SITECTL_PROFILE]' -r
complete -c sitectl -n "__fish_sitectl_using_subcommand managed-accounts; and __fish_seen_subcommand_from show" -l base-url -d 'The service\'s address, ends in /api/v6 [env: SITECTL_BASE_URL, and SITECTL_TOKEN for the token]' -r
complete -c sitectl -n "__fish_sitectl_using_subcommand managed-accounts; and __fish_seen_subcommand_from show" -l ca-cert -d 'Trust the certificates in this PEM file, in place of the system\'s [env: SSL_CERT_FILE]' -r -F
complete -c sitectl -n "__fish_sitectl_using_subcommand managed-accounts; and __fish_seen_subcommand_from show" -s o -l output -d 'How to print the result [env: SITECTL_OUTPUT] [default: table]' -r -f -a "table\t''
json\t''
ndjson\t''
csv\t''
yaml\t''
ids\t''"
complete -c sitectl -n "__fish_sitectl_using_subcommand managed-accounts; and __fish_seen_subcommand_from show" -l fields -d 'Print these fields, in this order; a field inside another is a.b' -r
complete -c sitectl -n "__fish_sitectl_using_subcommand managed-accounts; and __fish_seen_subcommand_from show" -l jq -d 'Filter the JSON result with jq; strings print raw' -r
complete -c sitectl -n "__fish_sitectl_using_subcommand managed-accounts; and __fish_seen_subcommand_from show" -l color -d 'When to use colour [env: NO_COLOR, CLICOLOR_FORCE]' -r -f -a "auto\t''
always\t''
never\t''"
complete -c sitectl -n "__fish_sitectl_using_subcommand managed-accounts; and __fish_seen_subcommand_from show" -l request-timeout -d 'The longest that one request may take [default: 30s]' -r
complete -c sitectl -n "__fish_sitectl_using_subcommand managed-accounts; and __fish_seen_subcommand_from show" -l retries -d 'How often a request that may be repeated is tried again [default: 4]' -r
complete -c sitectl -n "__fish_sitectl_using_subcommand managed-accounts; and __fish_seen_subcommand_from show" -l sandbox -d 'Run against the embedded practice service [env: SITECTL_SANDBOX=1]'
complete -c sitectl -n "__fish_sitectl_using_subcommand managed-accounts; and __fish_seen_subcommand_from show" -l json -d 'The same as --output json'
complete -c sitectl -n "__fish_sitectl_using_subcommand managed-accounts; and __fish_seen_subcommand_from show" -l no-header -d 'Leave out the header row of table and csv'
complete -c sitectl -n "__fish_sitectl_using_subcommand managed-accounts; and __fish_seen_subcommand_from show" -s q -l quiet -d 'No progress, no hints; errors still print'
complete -c sitectl -n "__fish_sitectl_using_subcommand managed-accounts; and __fish_seen_subcommand_from show" -s v -l verbose -d 'Show each HTTP exchange on stderr; twice for headers and bodies'
complete -c sitectl -n "__fish_sitectl_using_subcommand managed-accounts; and __fish_seen_subcommand_from show" -l no-input -d 'Never ask anything; implied where stdin is not a terminal'
complete -c sitectl -n "__fish_sitectl_using_subcommand managed-accounts; and __fish_seen_subcommand_from show" -s h -l help -d 'Print help'
complete -c sitectl -n "__fish_sitectl_using_subcommand managed-accounts; and __fish_seen_subcommand_from help" -f -a "list" -d 'List managed accounts and invitations: all of them, newest first, or those that match'
complete -c sitectl -n "__fish_sitectl_using_subcommand managed-accounts; and __fish_seen_subcommand_from help" -f -a "show" -d 'Show one managed account, all its fields'
complete -c sitectl -n "__fish_sitectl_using_subcommand managed-accounts; and __fish_seen_subcommand_from help" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c sitectl -n "__fish_sitectl_using_subcommand restore; and not __fish_seen_subcommand_from history start watch help" -l profile -d 'Use this profile of the config file [env: SITECTL_PROFILE]' -r
complete -c sitectl -n "__fish_sitectl_using_subcommand restore; and not __fish_seen_subcommand_from history start watch help" -l base-url -d 'The service\'s address, ends in /api/v6 [env: SITECTL_BASE_URL, and SITECTL_TOKEN for the token]' -r
complete -c sitectl -n "__fish_sitectl_using_subcommand restore; and not __fish_seen_subcommand_from history start watch help" -l ca-cert -d 'Trust the certificates in this PEM file, in place of the system\'s [env: SSL_CERT_FILE]' -r -F
complete -c sitectl -n "__fish_sitectl_using_subcommand restore; and not __fish_seen_subcommand_from history start watch help" -s o -l output -d 'How to print the result [env: SITECTL_OUTPUT] [default: table]' -r -f -a "table\t''
json\t''
ndjson\t''
csv\t''
yaml\t''
ids\t''"
complete -c sitectl -n "__fish_sitectl_using_subcommand restore; and not __fish_seen_subcommand_from history start watch help" -l fields -d 'Print these fields, in this order; a field inside another is a.b' -r
complete -c sitectl -n "__fish_sitectl_using_subcommand restore; and not __fish_seen_subcommand_from history start watch help" -l jq -d 'Filter the JSON result with jq; strings print raw' -r
complete -c sitectl -n "__fish_sitectl_using_subcommand restore; and not __fish_seen_subcommand_from history start watch help" -l color -d 'When to use colour [env: NO_COLOR, CLICOLOR_FORCE]' -r -f -a "auto\t''
always\t''
never\t''"
complete -c sitectl -n "__fish_sitectl_using_subcommand restore; and not __fish_seen_subcommand_from history start watch help" -l request-timeout -d 'The longest that one request may take [default: 30s]' -r
complete -c sitectl -n "__fish_sitectl_using_subcommand restore; and not __fish_seen_subcommand_from history start watch help" -l retries -d 'How often a request that may be repeated is tried again [default: 4]' -r
complete -c sitectl -n "__fish_sitectl_using_subcommand restore; and not __fish_seen_subcommand_from history start watch help" -l sandbox -d 'Run against the embedded practice service [env: SITECTL_SANDBOX=1]'
complete -c sitectl -n "__fish_sitectl_using_subcommand restore; and not __fish_seen_subcommand_from history start watch help" -l json -d 'The same as --output json'
complete -c sitectl -n "__fish_sitectl_using_subcommand restore; and not __fish_seen_subcommand_from history start watch help" -l no-header -d 'Leave out the header row of table and csv'
complete -c sitectl -n "__fish_sitectl_using_subcommand restore; and not __fish_seen_subcommand_from history start watch help" -s q -l quiet -d 'No progress, no hints; errors still print'
complete -c sitectl -n "__fish_sitectl_using_subcommand restore; and not __fish_seen_subcommand_from history start watch help" -s v -l verbose -d 'Show each HTTP exchange on stderr; twice for headers and bodies'
complete -c sitectl -n "__fish_sitectl_using_subcommand restore; and not __fish_seen_subcommand_from history start watch help" -l no-input -d 'Never ask anything; implied where stdin is not a terminal'
complete -c sitectl -n "__fish_sitectl_using_subcommand restore; and not __fish_seen_subcommand_from history start watch help" -s h -l help -d 'Print help'
complete -c sitectl -n "__fish_sitectl_using_subcommand restore; and not __fish_seen_subcommand_from history start watch help" -f -a "history" -d 'Show the restores that were started from this machine, whatever the profile, newest first'
complete -c sitectl -n "__fish_sitectl_using_subcommand restore; and not __fish_seen_subcommand_from history start watch help" -f -a "start" -d 'Restore a site from a snapshot. This overwrites the live site'
complete -c sitectl -n "__fish_sitectl_using_subcommand restore; and not __fish_seen_subcommand_from history start watch help" -f -a "watch" -d 'Watch restores until they end; without ids, all that this profile has started here and not yet seen end'
complete -c sitectl -n "__fish_sitectl_using_subcommand restore; and not __fish_seen_subcommand_from history start watch help" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c sitectl -n "__fish_sitectl_using_subcommand restore; and __fish_seen_subcommand_from history" -l site -d 'Only restores of this site; can be given several times' -r
complete -c sitectl -n "__fish_sitectl_using_subcommand restore; and __fish_seen_subcommand_from history" -l outcome -d 'Only with this outcome; several, separated by commas [possible values: running, succeeded, failed, refused, unknown]' -r -f -a "running\t''
succeeded\t''
failed\t''
refused\t''
unknown\t''"
complete -c sitectl -n "__fish_sitectl_using_subcommand restore; and __fish_seen_subcommand_from history" -l since -d 'Started at or after this time, date (UTC) or age (12h, 7d)' -r
complete -c sitectl -n "__fish_sitectl_using_subcommand restore; and __fish_seen_subcommand_from history" -l limit -d 'Only the newest N' -r
complete -c sitectl -n "__fish_sitectl_using_subcommand restore; and __fish_seen_subcommand_from history" -l profile -d 'Use this profile of the config file [env: SITECTL_PROFILE]' -r
complete -c sitectl -n "__fish_sitectl_using_subcommand restore; and __fish_seen_subcommand_from history" -l base-url -d 'The service\'s address, ends in /api/v6 [env: SITECTL_BASE_URL, and SITECTL_TOKEN for the token]' -r
complete -c sitectl -n "__fish_sitectl_using_subcommand restore; and __fish_seen_subcommand_from history" -l ca-cert -d 'Trust the certificates in this PEM file, in place of the system\'s [env: SSL_CERT_FILE]' -r -F
complete -c sitectl -n "__fish_sitectl_using_subcommand restore; and __fish_seen_subcommand_from history" -s o -l output -d 'How to print the result [env: SITECTL_OUTPUT] [default: table]' -r -f -a "table\t''
json\t''
ndjson\t''
csv\t''
yaml\t''
ids\t''"
complete -c sitectl -n "__fish_sitectl_using_subcommand restore; and __fish_seen_subcommand_from history" -l fields -d 'Print these fields, in this order; a field inside another is a.b' -r
complete -c sitectl -n "__fish_sitectl_using_subcommand restore; and __fish_seen_subcommand_from history" -l jq -d 'Filter the JSON result with jq; strings print raw' -r
complete -c sitectl -n "__fish_sitectl_using_subcommand restore; and __fish_seen_subcommand_from history" -l color -d 'When to use colour [env: NO_COLOR, CLICOLOR_FORCE]' -r -f -a "auto\t''
always\t''
never\t''"
complete -c sitectl -n "__fish_sitectl_using_subcommand restore; and __fish_seen_subcommand_from history" -l request-timeout -d 'The longest that one request may take [default: 30s]' -r
complete -c sitectl -n "__fish_sitectl_using_subcommand restore; and __fish_seen_subcommand_from history" -l retries -d 'How often a request that may be repeated is tried again [default: 4]' -r
complete -c sitectl -n "__fish_sitectl_using_subcommand restore; and __fish_seen_subcommand_from history" -l sandbox -d 'Run against the embedded practice service [env: SITECTL_SANDBOX=1]'
complete -c sitectl -n "__fish_sitectl_using_subcommand restore; and __fish_seen_subcommand_from history" -l json -d 'The same as --output json'
complete -c sitectl -n "__fish_sitectl_using_subcommand restore; and __fish_seen_subcommand_from history" -l no-header -d 'Leave out the header row of table and csv'
complete -c sitectl -n "__fish_sitectl_using_subcommand restore; and __fish_seen_subcommand_from history" -s q -l quiet -d 'No progress, no hints; errors still print'
complete -c sitectl -n "__fish_sitectl_using_subcommand restore; and __fish_seen_subcommand_from history" -s v -l verbose -d 'Show each HTTP exchange on stderr; twice for headers and bodies'
complete -c sitectl -n "__fish_sitectl_using_subcommand restore; and __fish_seen_subcommand_from history" -l no-input -d 'Never ask anything; implied where stdin is not a terminal'
complete -c sitectl -n "__fish_sitectl_using_subcommand restore; and __fish_seen_subcommand_from history" -s h -l help -d 'Print help'
complete -c sitectl -n "__fish_sitectl_using_subcommand restore; and __fish_seen_subcommand_from start" -l confirm -d 'The profile that is meant: answers where a protected one asks for its name; refused where another is in use' -r
complete -c sitectl -n "__fish_sitectl_using_subcommand restore; and __fish_seen_subcommand_from start" -l reason -d 'Why; kept in the journal' -r
complete -c sitectl -n "__fish_sitectl_using_subcommand restore; and __fish_seen_subcommand_from start" -l path -d 'Of the files only this path; can be given several times, implies --files' -r
complete -c sitectl -n "__fish_sitectl_using_subcommand restore; and __fish_seen_subcommand_from start" -l table -d 'Of the database only this table; can be given several times, implies --database' -r
complete -c sitectl -n "__fish_sitectl_using_subcommand restore; and __fish_seen_subcommand_from start" -l subsite -d 'Of a multisite only this subsite; can be given several times' -r
complete -c sitectl -n "__fish_sitectl_using_subcommand restore; and __fish_seen_subcommand_from start" -l scope-json -d 'The scope as the service takes it, sent as it is' -r
complete -c sitectl -n "__fish_sitectl_using_subcommand restore; and __fish_seen_subcommand_from start" -l plan -d 'A file of restores (.csv, .json, .ndjson or .yaml), or - for stdin; what it has started is not started again' -r
complete -c sitectl -n "__fish_sitectl_using_subcommand restore; and __fish_seen_subcommand_from start" -l input-format -d 'The format of the file [default: by its name, else by what is in it]' -r -f -a "csv\t'A line that names the columns, then a row a line'
json\t'An array of objects, or one object'
ndjson\t'A JSON object a line'
yaml\t'A sequence of mappings, or one mapping'"
complete -c sitectl -n "__fish_sitectl_using_subcommand restore; and __fish_seen_subcommand_from start" -l concurrency -d 'Requests to start a restore that are sent at the same time' -r
complete -c sitectl -n "__fish_sitectl_using_subcommand restore; and __fish_seen_subcommand_from start" -l stop-after-failures -d 'Start no more when so many could not be started' -r
complete -c sitectl -n "__fish_sitectl_using_subcommand restore; and __fish_seen_subcommand_from start" -l failed-to -d 'Write the rows that failed, if any, to this file, in the format of the plan; it is replaced' -r -F
complete -c sitectl -n "__fish_sitectl_using_subcommand restore; and __fish_seen_subcommand_from start" -l timeout -d 'Stop waiting after this long; the restore goes on' -r
complete -c sitectl -n "__fish_sitectl_using_subcommand restore; and __fish_seen_subcommand_from start" -l interval -d 'Look at each task this often [default: from 1s to 10s, as things move]' -r
complete -c sitectl -n "__fish_sitectl_using_subcommand restore; and __fish_seen_subcommand_from start" -l profile -d 'Use this profile of the config file [env: SITECTL_PROFILE]' -r
complete -c sitectl -n "__fish_sitectl_using_subcommand restore; and __fish_seen_subcommand_from start" -l base-url -d 'The service\'s address, ends in /api/v6 [env: SITECTL_BASE_URL, and SITECTL_TOKEN for the token]' -r
complete -c sitectl -n "__fish_sitectl_using_subcommand restore; and __fish_seen_subcommand_from start" -l ca-cert -d 'Trust the certificates in this PEM file, in place of the system\'s [env: SSL_CERT_FILE]' -r -F
complete -c sitectl -n "__fish_sitectl_using_subcommand restore; and __fish_seen_subcommand_from start" -s o -l output -d 'How to print the result [env: SITECTL_OUTPUT] [default: table]' -r -f -a "table\t''
json\t''
ndjson\t''
csv\t''
yaml\t''
ids\t''"
complete -c sitectl -n "__fish_sitectl_using_subcommand restore; and __fish_seen_subcommand_from start" -l fields -d 'Print these fields, in this order; a field inside another is a.b' -r
complete -c sitectl -n "__fish_sitectl_using_subcommand restore; and __fish_seen_subcommand_from start" -l jq -d 'Filter the JSON result with jq; strings print raw' -r
complete -c sitectl -n "__fish_sitectl_using_subcommand restore; and __fish_seen_subcommand_from start" -l color -d 'When to use colour [env: NO_COLOR, CLICOLOR_FORCE]' -r -f -a "auto\t''
always\t''
never\t''"
complete -c sitectl -n "__fish_sitectl_using_subcommand restore; and __fish_seen_subcommand_from start" -l request-timeout -d 'The longest that one request may take [default: 30s]' -r
complete -c sitectl -n "__fish_sitectl_using_subcommand restore; and __fish_seen_subcommand_from start" -l retries -d 'How often a request that may be repeated is tried again [default: 4]' -r
complete -c sitectl -n "__fish_sitectl_using_subcommand restore; and __fish_seen_subcommand_from start" -s y -l yes -d 'Do not ask; a protected profile still asks for its name'
complete -c sitectl -n "__fish_sitectl_using_subcommand restore; and __fish_seen_subcommand_from start" -l watch -d 'Watch it until it ends; the exit code tells how'
complete -c sitectl -n "__fish_sitectl_using_subcommand restore; and __fish_seen_subcommand_from start" -l force -d 'Start it even where the last restore of the site is not known to have ended, or the plan has started it before'
complete -c sitectl -n "__fish_sitectl_using_subcommand restore; and __fish_seen_subcommand_from start" -l full -d 'All files and the whole database'
complete -c sitectl -n "__fish_sitectl_using_subcommand restore; and __fish_seen_subcommand_from start" -l files -d 'The files'
complete -c sitectl -n "__fish_sitectl_using_subcommand restore; and __fish_seen_subcommand_from start" -l database -d 'The database'
complete -c sitectl -n "__fish_sitectl_using_subcommand restore; and __fish_seen_subcommand_from start" -l sandbox -d 'Run against the embedded practice service [env: SITECTL_SANDBOX=1]'
complete -c sitectl -n "__fish_sitectl_using_subcommand restore; and __fish_seen_subcommand_from start" -l json -d 'The same as --output json'
complete -c sitectl -n "__fish_sitectl_using_subcommand restore; and __fish_seen_subcommand_from start" -l no-header -d 'Leave out the header row of table and csv'
complete -c sitectl -n "__fish_sitectl_using_subcommand restore; and __fish_seen_subcommand_from start" -s q -l quiet -d 'No progress, no hints; errors still print'
complete -c sitectl -n "__fish_sitectl_using_subcommand restore; and __fish_seen_subcommand_from start" -s v -l verbose -d 'Show each HTTP exchange on stderr; twice for headers and bodies'
complete -c sitectl -n "__fish_sitectl_using_subcommand restore; and __fish_seen_subcommand_from start" -l no-input -d 'Never ask anything; implied where stdin is not a terminal'
complete -c sitectl -n "__fish_sitectl_using_subcommand restore; and __fish_seen_subcommand_from start" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c sitectl -n "__fish_sitectl_using_subcommand restore; and __fish_seen_subcommand_from watch" -l timeout -d 'Stop waiting after this long; the restore goes on' -r
complete -c sitectl -n "__fish_sitectl_using_subcommand restore; and __fish_seen_subcommand_from watch" -l interval -d 'Look at each task this often [default: from 1s to 10s, as things move]' -r
complete -c sitectl -n "__fish_sitectl_using_subcommand restore; and __fish_seen_subcommand_from watch" -l profile -d 'Use this profile of the config file [env: SITECTL_PROFILE]' -r
complete -c sitectl -n "__fish_sitectl_using_subcommand restore; and __fish_seen_subcommand_from watch" -l base-url -d 'The service\'s address, ends in /api/v6 [env: SITECTL_BASE_URL, and SITECTL_TOKEN for the token]' -r
complete -c sitectl -n "__fish_sitectl_using_subcommand restore; and __fish_seen_subcommand_from watch" -l ca-cert -d 'Trust the certificates in this PEM file, in place of the system\'s [env: SSL_CERT_FILE]' -r -F
complete -c sitectl -n "__fish_sitectl_using_subcommand restore; and __fish_seen_subcommand_from watch" -s o -l output -d 'How to print the result [env: SITECTL_OUTPUT] [default: table]' -r -f -a "table\t''
json\t''
ndjson\t''
csv\t''
yaml\t''
ids\t''"
complete -c sitectl -n "__fish_sitectl_using_subcommand restore; and __fish_seen_subcommand_from watch" -l fields -d 'Print these fields, in this order; a field inside another is a.b' -r
complete -c sitectl -n "__fish_sitectl_using_subcommand restore; and __fish_seen_subcommand_from watch" -l jq -d 'Filter the JSON result with jq; strings print raw' -r
complete -c sitectl -n "__fish_sitectl_using_subcommand restore; and __fish_seen_subcommand_from watch" -l color -d 'When to use colour [env: NO_COLOR, CLICOLOR_FORCE]' -r -f -a "auto\t''
always\t''
never\t''"
complete -c sitectl -n "__fish_sitectl_using_subcommand restore; and __fish_seen_subcommand_from watch" -l request-timeout -d 'The longest that one request may take [default: 30s]' -r
complete -c sitectl -n "__fish_sitectl_using_subcommand restore; and __fish_seen_subcommand_from watch" -l retries -d 'How often a request that may be repeated is tried again [default: 4]' -r
complete -c sitectl -n "__fish_sitectl_using_subcommand restore; and __fish_seen_subcommand_from watch" -l sandbox -d 'Run against the embedded practice service [env: SITECTL_SANDBOX=1]'
complete -c sitectl -n "__fish_sitectl_using_subcommand restore; and __fish_seen_subcommand_from watch" -l json -d 'The same as --output json'
complete -c sitectl -n "__fish_sitectl_using_subcommand restore; and __fish_seen_subcommand_from watch" -l no-header -d 'Leave out the header row of table and csv'
complete -c sitectl -n "__fish_sitectl_using_subcommand restore; and __fish_seen_subcommand_from watch" -s q -l quiet -d 'No progress, no hints; errors still print'
complete -c sitectl -n "__fish_sitectl_using_subcommand restore; and __fish_seen_subcommand_from watch" -s v -l verbose -d 'Show each HTTP exchange on stderr; twice for headers and bodies'
complete -c sitectl -n "__fish_sitectl_using_subcommand restore; and __fish_seen_subcommand_from watch" -l no-input -d 'Never ask anything; implied where stdin is not a terminal'
complete -c sitectl -n "__fish_sitectl_using_subcommand restore; and __fish_seen_subcommand_from watch" -s h -l help -d 'Print help'
complete -c sitectl -n "__fish_sitectl_using_subcommand restore; and __fish_seen_subcommand_from help" -f -a "history" -d 'Show the restores that were started from this machine, whatever the profile, newest first'
complete -c sitectl -n "__fish_sitectl_using_subcommand restore; and __fish_seen_subcommand_from help" -f -a "start" -d 'Restore a site from a snapshot. This overwrites the live site'
complete -c sitectl -n "__fish_sitectl_using_subcommand restore; and __fish_seen_subcommand_from help" -f -a "watch" -d 'Watch restores until they end; without ids, all that this profile has started here and not yet seen end'
complete -c sitectl -n "__fish_sitectl_using_subcommand restore; and __fish_seen_subcommand_from help" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c sitectl -n "__fish_sitectl_using_subcommand tasks; and not __fish_seen_subcommand_from show help" -l profile -d 'Use this profile of the config file [env: SITECTL_PROFILE]' -r
complete -c sitectl -n "__fish_sitectl_using_subcommand tasks; and not __fish_seen_subcommand_from show help" -l base-url -d 'The service\'s address, ends in /api/v6 [env: SITECTL_BASE_URL, and SITECTL_TOKEN for the token]' -r
complete -c sitectl -n "__fish_sitectl_using_subcommand tasks; and not __fish_seen_subcommand_from show help" -l ca-cert -d 'Trust the certificates in this PEM file, in place of the system\'s [env: SSL_CERT_FILE]' -r -F
complete -c sitectl -n "__fish_sitectl_using_subcommand tasks; and not __fish_seen_subcommand_from show help" -s o -l output -d 'How to print the result [env: SITECTL_OUTPUT] [default: table]' -r -f -a "table\t''
json\t''
ndjson\t''
csv\t''
yaml\t''
ids\t''"
complete -c sitectl -n "__fish_sitectl_using_subcommand tasks; and not __fish_seen_subcommand_from show help" -l fields -d 'Print these fields, in this order; a field inside another is a.b' -r
complete -c sitectl -n "__fish_sitectl_using_subcommand tasks; and not __fish_seen_subcommand_from show help" -l jq -d 'Filter the JSON result with jq; strings print raw' -r
complete -c sitectl -n "__fish_sitectl_using_subcommand tasks; and not __fish_seen_subcommand_from show help" -l color -d 'When to use colour [env: NO_COLOR, CLICOLOR_FORCE]' -r -f -a "auto\t''
always\t''
never\t''"
complete -c sitectl -n "__fish_sitectl_using_subcommand tasks; and not __fish_seen_subcommand_from show help" -l request-timeout -d 'The longest that one request may take [default: 30s]' -r
complete -c sitectl -n "__fish_sitectl_using_subcommand tasks; and not __fish_seen_subcommand_from show help" -l retries -d 'How often a request that may be repeated is tried again [default: 4]' -r
complete -c sitectl -n "__fish_sitectl_using_subcommand tasks; and not __fish_seen_subcommand_from show help" -l sandbox -d 'Run against the embedded practice service [env: SITECTL_SANDBOX=1]'
complete -c sitectl -n "__fish_sitectl_using_subcommand tasks; and not __fish_seen_subcommand_from show help" -l json -d 'The same as --output json'
complete -c sitectl -n "__fish_sitectl_using_subcommand tasks; and not __fish_seen_subcommand_from show help" -l no-header -d 'Leave out the header row of table and csv'
complete -c sitectl -n "__fish_sitectl_using_subcommand tasks; and not __fish_seen_subcommand_from show help" -s q -l quiet -d 'No progress, no hints; errors still print'
complete -c sitectl -n "__fish_sitectl_using_subcommand tasks; and not __fish_seen_subcommand_from show help" -s v -l verbose -d 'Show each HTTP exchange on stderr; twice for headers and bodies'
complete -c sitectl -n "__fish_sitectl_using_subcommand tasks; and not __fish_seen_subcommand_from show help" -l no-input -d 'Never ask anything; implied where stdin is not a terminal'
complete -c sitectl -n "__fish_sitectl_using_subcommand tasks; and not __fish_seen_subcommand_from show help" -s h -l help -d 'Print help'
complete -c sitectl -n "__fish_sitectl_using_subcommand tasks; and not __fish_seen_subcommand_from show help" -f -a "show" -d 'Show a background task as it stands now; `restore watch` waits for its end'
complete -c sitectl -n "__fish_sitectl_using_subcommand tasks; and not __fish_seen_subcommand_from show help" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c sitectl -n "__fish_sitectl_using_subcommand tasks; and __fish_seen_subcommand_from show" -l profile -d 'Use this profile of the config file [env: SITECTL_PROFILE]' -r
complete -c sitectl -n "__fish_sitectl_using_subcommand tasks; and __fish_seen_subcommand_from show" -l base-url -d 'The service\'s address, ends in /api/v6 [env: SITECTL_BASE_URL, and SITECTL_TOKEN for the token]' -r
complete -c sitectl -n "__fish_sitectl_using_subcommand tasks; and __fish_seen_subcommand_from show" -l ca-cert -d 'Trust the certificates in this PEM file, in place of the system\'s [env: SSL_CERT_FILE]' -r -F
complete -c sitectl -n "__fish_sitectl_using_subcommand tasks; and __fish_seen_subcommand_from show" -s o -l output -d 'How to print the result [env: SITECTL_OUTPUT] [default: table]' -r -f -a "table\t''
json\t''
ndjson\t''
csv\t''
yaml\t''
ids\t''"
complete -c sitectl -n "__fish_sitectl_using_subcommand tasks; and __fish_seen_subcommand_from show" -l fields -d 'Print these fields, in this order; a field inside another is a.b' -r
complete -c sitectl -n "__fish_sitectl_using_subcommand tasks; and __fish_seen_subcommand_from show" -l jq -d 'Filter the JSON result with jq; strings print raw' -r
complete -c sitectl -n "__fish_sitectl_using_subcommand tasks; and __fish_seen_subcommand_from show" -l color -d 'When to use colour [env: NO_COLOR, CLICOLOR_FORCE]' -r -f -a "auto\t''
always\t''
never\t''"
complete -c sitectl -n "__fish_sitectl_using_subcommand tasks; and __fish_seen_subcommand_from show" -l request-timeout -d 'The longest that one request may take [default: 30s]' -r
complete -c sitectl -n "__fish_sitectl_using_subcommand tasks; and __fish_seen_subcommand_from show" -l retries -d 'How often a request that may be repeated is tried again [default: 4]' -r
complete -c sitectl -n "__fish_sitectl_using_subcommand tasks; and __fish_seen_subcommand_from show" -l sandbox -d 'Run against the embedded practice service [env: SITECTL_SANDBOX=1]'
complete -c sitectl -n "__fish_sitectl_using_subcommand tasks; and __fish_seen_subcommand_from show" -l json -d 'The same as --output json'
complete -c sitectl -n "__fish_sitectl_using_subcommand tasks; and __fish_seen_subcommand_from show" -l no-header -d 'Leave out the header row of table and csv'
complete -c sitectl -n "__fish_sitectl_using_subcommand tasks; and __fish_seen_subcommand_from show" -s q -l quiet -d 'No progress, no hints; errors still print'
complete -c sitectl -n "__fish_sitectl_using_subcommand tasks; and __fish_seen_subcommand_from show" -s v -l verbose -d 'Show each HTTP exchange on stderr; twice for headers and bodies'
complete -c sitectl -n "__fish_sitectl_using_subcommand tasks; and __fish_seen_subcommand_from show" -l no-input -d 'Never ask anything; implied where stdin is not a terminal'
complete -c sitectl -n "__fish_sitectl_using_subcommand tasks; and __fish_seen_subcommand_from show" -s h -l help -d 'Print help'
complete -c sitectl -n "__fish_sitectl_using_subcommand tasks; and __fish_seen_subcommand_from help" -f -a "show" -d 'Show a background task as it stands now; `restore watch` waits for its end'
complete -c sitectl -n "__fish_sitectl_using_subcommand tasks; and __fish_seen_subcommand_from help" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c sitectl -n "__fish_sitectl_using_subcommand sites; and not __fish_seen_subcommand_from list help" -l profile -d 'Use this profile of the config file [env: SITECTL_PROFILE]' -r
complete -c sitectl -n "__fish_sitectl_using_subcommand sites; and not __fish_seen_subcommand_from list help" -l base-url -d 'The service\'s address, ends in /api/v6 [env: SITECTL_BASE_URL, and SITECTL_TOKEN for the token]' -r
complete -c sitectl -n "__fish_sitectl_using_subcommand sites; and not __fish_seen_subcommand_from list help" -l ca-cert -d 'Trust the certificates in this PEM file, in place of the system\'s [env: SSL_CERT_FILE]' -r -F
complete -c sitectl -n "__fish_sitectl_using_subcommand sites; and not __fish_seen_subcommand_from list help" -s o -l output -d 'How to print the result [env: SITECTL_OUTPUT] [default: table]' -r -f -a "table\t''
json\t''
ndjson\t''
csv\t''
yaml\t''
ids\t''"
complete -c sitectl -n "__fish_sitectl_using_subcommand sites; and not __fish_seen_subcommand_from list help" -l fields -d 'Print these fields, in this order; a field inside another is a.b' -r
complete -c sitectl -n "__fish_sitectl_using_subcommand sites; and not __fish_seen_subcommand_from list help" -l jq -d 'Filter the JSON result with jq; strings print raw' -r
complete -c sitectl -n "__fish_sitectl_using_subcommand sites; and not __fish_seen_subcommand_from list help" -l color -d 'When to use colour [env: NO_COLOR, CLICOLOR_FORCE]' -r -f -a "auto\t''
always\t''
never\t''"
complete -c sitectl -n "__fish_sitectl_using_subcommand sites; and not __fish_seen_subcommand_from list help" -l request-timeout -d 'The longest that one request may take [default: 30s]' -r
complete -c sitectl -n "__fish_sitectl_using_subcommand sites; and not __fish_seen_subcommand_from list help" -l retries -d 'How often a request that may be repeated is tried again [default: 4]' -r
complete -c sitectl -n "__fish_sitectl_using_subcommand sites; and not __fish_seen_subcommand_from list help" -l sandbox -d 'Run against the embedded practice service [env: SITECTL_SANDBOX=1]'
complete -c sitectl -n "__fish_sitectl_using_subcommand sites; and not __fish_seen_subcommand_from list help" -l json -d 'The same as --output json'
complete -c sitectl -n "__fish_sitectl_using_subcommand sites; and not __fish_seen_subcommand_from list help" -l no-header -d 'Leave out the header row of table and csv'
complete -c sitectl -n "__fish_sitectl_using_subcommand sites; and not __fish_seen_subcommand_from list help" -s q -l quiet -d 'No progress, no hints; errors still print'
complete -c sitectl -n "__fish_sitectl_using_subcommand sites; and not __fish_seen_subcommand_from list help" -s v -l verbose -d 'Show each HTTP exchange on stderr; twice for headers and bodies'
complete -c sitectl -n "__fish_sitectl_using_subcommand sites; and not __fish_seen_subcommand_from list help" -l no-input -d 'Never ask anything; implied where stdin is not a terminal'
complete -c sitectl -n "__fish_sitectl_using_subcommand sites; and not __fish_seen_subcommand_from list help" -s h -l help -d 'Print help'
complete -c sitectl -n "__fish_sitectl_using_subcommand sites; and not __fish_seen_subcommand_from list help" -f -a "list" -d 'List the sites of the account'
complete -c sitectl -n "__fish_sitectl_using_subcommand sites; and not __fish_seen_subcommand_from list help" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c sitectl -n "__fish_sitectl_using_subcommand sites; and __fish_seen_subcommand_from list" -l limit -d 'Stop after N records' -r
complete -c sitectl -n "__fish_sitectl_using_subcommand sites; and __fish_seen_subcommand_from list" -l page -d 'Only this page, counted from 1' -r
complete -c sitectl -n "__fish_sitectl_using_subcommand sites; and __fish_seen_subcommand_from list" -l per-page -d 'Rows in a page [default: as many as are needed, up to 1000]' -r
complete -c sitectl -n "__fish_sitectl_using_subcommand sites; and __fish_seen_subcommand_from list" -l concurrency -d 'Pages that are fetched at a time [default: 8]' -r
complete -c sitectl -n "__fish_sitectl_using_subcommand sites; and __fish_seen_subcommand_from list" -l profile -d 'Use this profile of the config file [env: SITECTL_PROFILE]' -r
complete -c sitectl -n "__fish_sitectl_using_subcommand sites; and __fish_seen_subcommand_from list" -l base-url -d 'The service\'s address, ends in /api/v6 [env: SITECTL_BASE_URL, and SITECTL_TOKEN for the token]' -r
complete -c sitectl -n "__fish_sitectl_using_subcommand sites; and __fish_seen_subcommand_from list" -l ca-cert -d 'Trust the certificates in this PEM file, in place of the system\'s [env: SSL_CERT_FILE]' -r -F
complete -c sitectl -n "__fish_sitectl_using_subcommand sites; and __fish_seen_subcommand_from list" -s o -l output -d 'How to print the result [env: SITECTL_OUTPUT] [default: table]' -r -f -a "table\t''
json\t''
ndjson\t''
csv\t''
yaml\t''
ids\t''"
complete -c sitectl -n "__fish_sitectl_using_subcommand sites; and __fish_seen_subcommand_from list" -l fields -d 'Print these fields, in this order; a field inside another is a.b' -r
complete -c sitectl -n "__fish_sitectl_using_subcommand sites; and __fish_seen_subcommand_from list" -l jq -d 'Filter the JSON result with jq; strings print raw' -r
complete -c sitectl -n "__fish_sitectl_using_subcommand sites; and __fish_seen_subcommand_from list" -l color -d 'When to use colour [env: NO_COLOR, CLICOLOR_FORCE]' -r -f -a "auto\t''
always\t''
never\t''"
complete -c sitectl -n "__fish_sitectl_using_subcommand sites; and __fish_seen_subcommand_from list" -l request-timeout -d 'The longest that one request may take [default: 30s]' -r
complete -c sitectl -n "__fish_sitectl_using_subcommand sites; and __fish_seen_subcommand_from list" -l retries -d 'How often a request that may be repeated is tried again [default: 4]' -r
complete -c sitectl -n "__fish_sitectl_using_subcommand sites; and __fish_seen_subcommand_from list" -l verify -d 'Read until two readings agree: finds also what totals cannot show'
complete -c sitectl -n "__fish_sitectl_using_subcommand sites; and __fish_seen_subcommand_from list" -l sandbox -d 'Run against the embedded practice service [env: SITECTL_SANDBOX=1]'
complete -c sitectl -n "__fish_sitectl_using_subcommand sites; and __fish_seen_subcommand_from list" -l json -d 'The same as --output json'
complete -c sitectl -n "__fish_sitectl_using_subcommand sites; and __fish_seen_subcommand_from list" -l no-header -d 'Leave out the header row of table and csv'
complete -c sitectl -n "__fish_sitectl_using_subcommand sites; and __fish_seen_subcommand_from list" -s q -l quiet -d 'No progress, no hints; errors still print'
complete -c sitectl -n "__fish_sitectl_using_subcommand sites; and __fish_seen_subcommand_from list" -s v -l verbose -d 'Show each HTTP exchange on stderr; twice for headers and bodies'
complete -c sitectl -n "__fish_sitectl_using_subcommand sites; and __fish_seen_subcommand_from list" -l no-input -d 'Never ask anything; implied where stdin is not a terminal'
complete -c sitectl -n "__fish_sitectl_using_subcommand sites; and __fish_seen_subcommand_from list" -s h -l help -d 'Print help'
complete -c sitectl -n "__fish_sitectl_using_subcommand sites; and __fish_seen_subcommand_from help" -f -a "list" -d 'List the sites of the account'
complete -c sitectl -n "__fish_sitectl_using_subcommand sites; and __fish_seen_subcommand_from help" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c sitectl -n "__fish_sitectl_using_subcommand snapshots; and not __fish_seen_subcommand_from list help" -l profile -d 'Use this profile of the config file [env: SITECTL_PROFILE]' -r
complete -c sitectl -n "__fish_sitectl_using_subcommand snapshots; and not __fish_seen_subcommand_from list help" -l base-url -d 'The service\'s address, ends in /api/v6 [env: SITECTL_BASE_URL, and SITECTL_TOKEN for the token]' -r
complete -c sitectl -n "__fish_sitectl_using_subcommand snapshots; and not __fish_seen_subcommand_from list help" -l ca-cert -d 'Trust the certificates in this PEM file, in place of the system\'s [env: SSL_CERT_FILE]' -r -F
complete -c sitectl -n "__fish_sitectl_using_subcommand snapshots; and not __fish_seen_subcommand_from list help" -s o -l output -d 'How to print the result [env: SITECTL_OUTPUT] [default: table]' -r -f -a "table\t''
json\t''
ndjson\t''
csv\t''
yaml\t''
ids\t''"
complete -c sitectl -n "__fish_sitectl_using_subcommand snapshots; and not __fish_seen_subcommand_from list help" -l fields -d 'Print these fields, in this order; a field inside another is a.b' -r
complete -c sitectl -n "__fish_sitectl_using_subcommand snapshots; and not __fish_seen_subcommand_from list help" -l jq -d 'Filter the JSON result with jq; strings print raw' -r
complete -c sitectl -n "__fish_sitectl_using_subcommand snapshots; and not __fish_seen_subcommand_from list help" -l color -d 'When to use colour [env: NO_COLOR, CLICOLOR_FORCE]' -r -f -a "auto\t''
always\t''
never\t''"
complete -c sitectl -n "__fish_sitectl_using_subcommand snapshots; and not __fish_seen_subcommand_from list help" -l request-timeout -d 'The longest that one request may take [default: 30s]' -r
complete -c sitectl -n "__fish_sitectl_using_subcommand snapshots; and not __fish_seen_subcommand_from list help" -l retries -d 'How often a request that may be repeated is tried again [default: 4]' -r
complete -c sitectl -n "__fish_sitectl_using_subcommand snapshots; and not __fish_seen_subcommand_from list help" -l sandbox -d 'Run against the embedded practice service [env: SITECTL_SANDBOX=1]'
complete -c sitectl -n "__fish_sitectl_using_subcommand snapshots; and not __fish_seen_subcommand_from list help" -l json -d 'The same as --output json'
complete -c sitectl -n "__fish_sitectl_using_subcommand snapshots; and not __fish_seen_subcommand_from list help" -l no-header -d 'Leave out the header row of table and csv'
complete -c sitectl -n "__fish_sitectl_using_subcommand snapshots; and not __fish_seen_subcommand_from list help" -s q -l quiet -d 'No progress, no hints; errors still print'
complete -c sitectl -n "__fish_sitectl_using_subcommand snapshots; and not __fish_seen_subcommand_from list help" -s v -l verbose -d 'Show each HTTP exchange on stderr; twice for headers and bodies'
complete -c sitectl -n "__fish_sitectl_using_subcommand snapshots; and not __fish_seen_subcommand_from list help" -l no-input -d 'Never ask anything; implied where stdin is not a terminal'
complete -c sitectl -n "__fish_sitectl_using_subcommand snapshots; and not __fish_seen_subcommand_from list help" -s h -l help -d 'Print help'
complete -c sitectl -n "__fish_sitectl_using_subcommand snapshots; and not __fish_seen_subcommand_from list help" -f -a "list" -d 'List a site\'s snapshots'
complete -c sitectl -n "__fish_sitectl_using_subcommand snapshots; and not __fish_seen_subcommand_from list help" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c sitectl -n "__fish_sitectl_using_subcommand snapshots; and __fish_seen_subcommand_from list" -l limit -d 'Stop after N records' -r
complete -c sitectl -n "__fish_sitectl_using_subcommand snapshots; and __fish_seen_subcommand_from list" -l page -d 'Only this page, counted from 1' -r
complete -c sitectl -n "__fish_sitectl_using_subcommand snapshots; and __fish_seen_subcommand_from list" -l per-page -d 'Rows in a page [default: as many as are needed, up to 1000]' -r
complete -c sitectl -n "__fish_sitectl_using_subcommand snapshots; and __fish_seen_subcommand_from list" -l concurrency -d 'Pages that are fetched at a time [default: 8]' -r
complete -c sitectl -n "__fish_sitectl_using_subcommand snapshots; and __fish_seen_subcommand_from list" -l profile -d 'Use this profile of the config file [env: SITECTL_PROFILE]' -r
complete -c sitectl -n "__fish_sitectl_using_subcommand snapshots; and __fish_seen_subcommand_from list" -l base-url -d 'The service\'s address, ends in /api/v6 [env: SITECTL_BASE_URL, and SITECTL_TOKEN for the token]' -r
complete -c sitectl -n "__fish_sitectl_using_subcommand snapshots; and __fish_seen_subcommand_from list" -l ca-cert -d 'Trust the certificates in this PEM file, in place of the system\'s [env: SSL_CERT_FILE]' -r -F
complete -c sitectl -n "__fish_sitectl_using_subcommand snapshots; and __fish_seen_subcommand_from list" -s o -l output -d 'How to print the result [env: SITECTL_OUTPUT] [default: table]' -r -f -a "table\t''
json\t''
ndjson\t''
csv\t''
yaml\t''
ids\t''"
complete -c sitectl -n "__fish_sitectl_using_subcommand snapshots; and __fish_seen_subcommand_from list" -l fields -d 'Print these fields, in this order; a field inside another is a.b' -r
complete -c sitectl -n "__fish_sitectl_using_subcommand snapshots; and __fish_seen_subcommand_from list" -l jq -d 'Filter the JSON result with jq; strings print raw' -r
complete -c sitectl -n "__fish_sitectl_using_subcommand snapshots; and __fish_seen_subcommand_from list" -l color -d 'When to use colour [env: NO_COLOR, CLICOLOR_FORCE]' -r -f -a "auto\t''
always\t''
never\t''"
complete -c sitectl -n "__fish_sitectl_using_subcommand snapshots; and __fish_seen_subcommand_from list" -l request-timeout -d 'The longest that one request may take [default: 30s]' -r
complete -c sitectl -n "__fish_sitectl_using_subcommand snapshots; and __fish_seen_subcommand_from list" -l retries -d 'How often a request that may be repeated is tried again [default: 4]' -r
complete -c sitectl -n "__fish_sitectl_using_subcommand snapshots; and __fish_seen_subcommand_from list" -l verify -d 'Read until two readings agree: finds also what totals cannot show'
complete -c sitectl -n "__fish_sitectl_using_subcommand snapshots; and __fish_seen_subcommand_from list" -l sandbox -d 'Run against the embedded practice service [env: SITECTL_SANDBOX=1]'
complete -c sitectl -n "__fish_sitectl_using_subcommand snapshots; and __fish_seen_subcommand_from list" -l json -d 'The same as --output json'
complete -c sitectl -n "__fish_sitectl_using_subcommand snapshots; and __fish_seen_subcommand_from list" -l no-header -d 'Leave out the header row of table and csv'
complete -c sitectl -n "__fish_sitectl_using_subcommand snapshots; and __fish_seen_subcommand_from list" -s q -l quiet -d 'No progress, no hints; errors still print'
complete -c sitectl -n "__fish_sitectl_using_subcommand snapshots; and __fish_seen_subcommand_from list" -s v -l verbose -d 'Show each HTTP exchange on stderr; twice for headers and bodies'
complete -c sitectl -n "__fish_sitectl_using_subcommand snapshots; and __fish_seen_subcommand_from list" -l no-input -d 'Never ask anything; implied where stdin is not a terminal'
complete -c sitectl -n "__fish_sitectl_using_subcommand snapshots; and __fish_seen_subcommand_from list" -s h -l help -d 'Print help'
complete -c sitectl -n "__fish_sitectl_using_subcommand snapshots; and __fish_seen_subcommand_from help" -f -a "list" -d 'List a site\'s snapshots'
complete -c sitectl -n "__fish_sitectl_using_subcommand snapshots; and __fish_seen_subcommand_from help" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c sitectl -n "__fish_sitectl_using_subcommand api" -s f -l raw-field -d 'A text, in the query or the body; can be given several times' -r
complete -c sitectl -n "__fish_sitectl_using_subcommand api" -s F -l field -d 'The same with a JSON value, such as a number, true, null or a list' -r
complete -c sitectl -n "__fish_sitectl_using_subcommand api" -l input -d 'Send the JSON in a file as the body, or - for stdin' -r
complete -c sitectl -n "__fish_sitectl_using_subcommand api" -l filter -d 'Only records for which all of these hold; which fields and operators there are, the service says' -r
complete -c sitectl -n "__fish_sitectl_using_subcommand api" -l sort -d 'Order by a field, asc unless said otherwise' -r
complete -c sitectl -n "__fish_sitectl_using_subcommand api" -l limit -d 'Stop after N records' -r
complete -c sitectl -n "__fish_sitectl_using_subcommand api" -l per-page -d 'Rows in a page [default: as many as are needed, up to 1000]' -r
complete -c sitectl -n "__fish_sitectl_using_subcommand api" -l concurrency -d 'Pages that are fetched at a time [default: 8]' -r
complete -c sitectl -n "__fish_sitectl_using_subcommand api" -l confirm -d 'The profile that is meant: answers where a protected one asks for its name; refused where another is in use' -r
complete -c sitectl -n "__fish_sitectl_using_subcommand api" -l profile -d 'Use this profile of the config file [env: SITECTL_PROFILE]' -r
complete -c sitectl -n "__fish_sitectl_using_subcommand api" -l base-url -d 'The service\'s address, ends in /api/v6 [env: SITECTL_BASE_URL, and SITECTL_TOKEN for the token]' -r
complete -c sitectl -n "__fish_sitectl_using_subcommand api" -l ca-cert -d 'Trust the certificates in this PEM file, in place of the system\'s [env: SSL_CERT_FILE]' -r -F
complete -c sitectl -n "__fish_sitectl_using_subcommand api" -s o -l output -d 'How to print the result [env: SITECTL_OUTPUT] [default: table]' -r -f -a "table\t''
json\t''
ndjson\t''
csv\t''
yaml\t''
ids\t''"
complete -c sitectl -n "__fish_sitectl_using_subcommand api" -l fields -d 'Print these fields, in this order; a field inside another is a.b' -r
complete -c sitectl -n "__fish_sitectl_using_subcommand api" -l jq -d 'Filter the JSON result with jq; strings print raw' -r
complete -c sitectl -n "__fish_sitectl_using_subcommand api" -l color -d 'When to use colour [env: NO_COLOR, CLICOLOR_FORCE]' -r -f -a "auto\t''
always\t''
never\t''"
complete -c sitectl -n "__fish_sitectl_using_subcommand api" -l request-timeout -d 'The longest that one request may take [default: 30s]' -r
complete -c sitectl -n "__fish_sitectl_using_subcommand api" -l retries -d 'How often a request that may be repeated is tried again [default: 4]' -r
complete -c sitectl -n "__fish_sitectl_using_subcommand api" -l paginate -d 'Read the list whole, page after page, and print its records as one list'
complete -c sitectl -n "__fish_sitectl_using_subcommand api" -l verify -d 'Read until two readings agree: finds also what totals cannot show'
complete -c sitectl -n "__fish_sitectl_using_subcommand api" -s i -l include -d 'Show the status and headers of each answer on stderr'
complete -c sitectl -n "__fish_sitectl_using_subcommand api" -l dry-run -d 'Send nothing, and print the request as a curl command'
complete -c sitectl -n "__fish_sitectl_using_subcommand api" -l sandbox -d 'Run against the embedded practice service [env: SITECTL_SANDBOX=1]'
complete -c sitectl -n "__fish_sitectl_using_subcommand api" -l json -d 'The same as --output json'
complete -c sitectl -n "__fish_sitectl_using_subcommand api" -l no-header -d 'Leave out the header row of table and csv'
complete -c sitectl -n "__fish_sitectl_using_subcommand api" -s q -l quiet -d 'No progress, no hints; errors still print'
complete -c sitectl -n "__fish_sitectl_using_subcommand api" -s v -l verbose -d 'Show each HTTP exchange on stderr; twice for headers and bodies'
complete -c sitectl -n "__fish_sitectl_using_subcommand api" -l no-input -d 'Never ask anything; implied where stdin is not a terminal'
complete -c sitectl -n "__fish_sitectl_using_subcommand api" -s h -l help -d 'Print help'
complete -c sitectl -n "__fish_sitectl_using_subcommand sandbox; and not __fish_seen_subcommand_from serve reset help" -l profile -d 'Use this profile of the config file [env: SITECTL_PROFILE]' -r
complete -c sitectl -n "__fish_sitectl_using_subcommand sandbox; and not __fish_seen_subcommand_from serve reset help" -l base-url -d 'The service\'s address, ends in /api/v6 [env: SITECTL_BASE_URL, and SITECTL_TOKEN for the token]' -r
complete -c sitectl -n "__fish_sitectl_using_subcommand sandbox; and not __fish_seen_subcommand_from serve reset help" -l ca-cert -d 'Trust the certificates in this PEM file, in place of the system\'s [env: SSL_CERT_FILE]' -r -F
complete -c sitectl -n "__fish_sitectl_using_subcommand sandbox; and not __fish_seen_subcommand_from serve reset help" -s o -l output -d 'How to print the result [env: SITECTL_OUTPUT] [default: table]' -r -f -a "table\t''
json\t''
ndjson\t''
csv\t''
yaml\t''
ids\t''"
complete -c sitectl -n "__fish_sitectl_using_subcommand sandbox; and not __fish_seen_subcommand_from serve reset help" -l fields -d 'Print these fields, in this order; a field inside another is a.b' -r
complete -c sitectl -n "__fish_sitectl_using_subcommand sandbox; and not __fish_seen_subcommand_from serve reset help" -l jq -d 'Filter the JSON result with jq; strings print raw' -r
complete -c sitectl -n "__fish_sitectl_using_subcommand sandbox; and not __fish_seen_subcommand_from serve reset help" -l color -d 'When to use colour [env: NO_COLOR, CLICOLOR_FORCE]' -r -f -a "auto\t''
always\t''
never\t''"
complete -c sitectl -n "__fish_sitectl_using_subcommand sandbox; and not __fish_seen_subcommand_from serve reset help" -l request-timeout -d 'The longest that one request may take [default: 30s]' -r
complete -c sitectl -n "__fish_sitectl_using_subcommand sandbox; and not __fish_seen_subcommand_from serve reset help" -l retries -d 'How often a request that may be repeated is tried again [default: 4]' -r
complete -c sitectl -n "__fish_sitectl_using_subcommand sandbox; and not __fish_seen_subcommand_from serve reset help" -l sandbox -d 'Run against the embedded practice service [env: SITECTL_SANDBOX=1]'
complete -c sitectl -n "__fish_sitectl_using_subcommand sandbox; and not __fish_seen_subcommand_from serve reset help" -l json -d 'The same as --output json'
complete -c sitectl -n "__fish_sitectl_using_subcommand sandbox; and not __fish_seen_subcommand_from serve reset help" -l no-header -d 'Leave out the header row of table and csv'
complete -c sitectl -n "__fish_sitectl_using_subcommand sandbox; and not __fish_seen_subcommand_from serve reset help" -s q -l quiet -d 'No progress, no hints; errors still print'
complete -c sitectl -n "__fish_sitectl_using_subcommand sandbox; and not __fish_seen_subcommand_from serve reset help" -s v -l verbose -d 'Show each HTTP exchange on stderr; twice for headers and bodies'
complete -c sitectl -n "__fish_sitectl_using_subcommand sandbox; and not __fish_seen_subcommand_from serve reset help" -l no-input -d 'Never ask anything; implied where stdin is not a terminal'
complete -c sitectl -n "__fish_sitectl_using_subcommand sandbox; and not __fish_seen_subcommand_from serve reset help" -s h -l help -d 'Print help'
complete -c sitectl -n "__fish_sitectl_using_subcommand sandbox; and not __fish_seen_subcommand_from serve reset help" -f -a "serve" -d 'Serve the sandbox over HTTP until interrupted'
complete -c sitectl -n "__fish_sitectl_using_subcommand sandbox; and not __fish_seen_subcommand_from serve reset help" -f -a "reset" -d 'Put the sandbox\'s first data back, and forget the restores that were started on it'
complete -c sitectl -n "__fish_sitectl_using_subcommand sandbox; and not __fish_seen_subcommand_from serve reset help" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c sitectl -n "__fish_sitectl_using_subcommand sandbox; and __fish_seen_subcommand_from serve" -l listen -d 'Listen on this address; port 0 takes a free one' -r
complete -c sitectl -n "__fish_sitectl_using_subcommand sandbox; and __fish_seen_subcommand_from serve" -l db -d 'Keep the data in this file, or nowhere with :memory: [default: in the state directory]' -r -F
complete -c sitectl -n "__fish_sitectl_using_subcommand sandbox; and __fish_seen_subcommand_from serve" -l rate-limit -d 'Allow each account this many requests per window' -r
complete -c sitectl -n "__fish_sitectl_using_subcommand sandbox; and __fish_seen_subcommand_from serve" -l rate-window -d 'Make the window of the rate limit this long' -r
complete -c sitectl -n "__fish_sitectl_using_subcommand sandbox; and __fish_seen_subcommand_from serve" -l latency -d 'Wait this long before each request is looked at' -r
complete -c sitectl -n "__fish_sitectl_using_subcommand sandbox; and __fish_seen_subcommand_from serve" -l restore-time -d 'Let a restore take this long' -r
complete -c sitectl -n "__fish_sitectl_using_subcommand sandbox; and __fish_seen_subcommand_from serve" -l max-clients -d 'Refuse to create more clients than this per account (max_quota) [default: no limit]' -r
complete -c sitectl -n "__fish_sitectl_using_subcommand sandbox; and __fish_seen_subcommand_from serve" -l fault -d 'Make a share of the requests go wrong, as in 500:0.1; can be given several times' -r
complete -c sitectl -n "__fish_sitectl_using_subcommand sandbox; and __fish_seen_subcommand_from serve" -l fault-seed -d 'Make the sequence of faults the same every time' -r
complete -c sitectl -n "__fish_sitectl_using_subcommand sandbox; and __fish_seen_subcommand_from serve" -l profile -d 'Use this profile of the config file [env: SITECTL_PROFILE]' -r
complete -c sitectl -n "__fish_sitectl_using_subcommand sandbox; and __fish_seen_subcommand_from serve" -l base-url -d 'The service\'s address, ends in /api/v6 [env: SITECTL_BASE_URL, and SITECTL_TOKEN for the token]' -r
complete -c sitectl -n "__fish_sitectl_using_subcommand sandbox; and __fish_seen_subcommand_from serve" -l ca-cert -d 'Trust the certificates in this PEM file, in place of the system\'s [env: SSL_CERT_FILE]' -r -F
complete -c sitectl -n "__fish_sitectl_using_subcommand sandbox; and __fish_seen_subcommand_from serve" -s o -l output -d 'How to print the result [env: SITECTL_OUTPUT] [default: table]' -r -f -a "table\t''
json\t''
ndjson\t''
csv\t''
yaml\t''
ids\t''"
complete -c sitectl -n "__fish_sitectl_using_subcommand sandbox; and __fish_seen_subcommand_from serve" -l fields -d 'Print these fields, in this order; a field inside another is a.b' -r
complete -c sitectl -n "__fish_sitectl_using_subcommand sandbox; and __fish_seen_subcommand_from serve" -l jq -d 'Filter the JSON result with jq; strings print raw' -r
complete -c sitectl -n "__fish_sitectl_using_subcommand sandbox; and __fish_seen_subcommand_from serve" -l color -d 'When to use colour [env: NO_COLOR, CLICOLOR_FORCE]' -r -f -a "auto\t''
always\t''
never\t''"
complete -c sitectl -n "__fish_sitectl_using_subcommand sandbox; and __fish_seen_subcommand_from serve" -l request-timeout -d 'The longest that one request may take [default: 30s]' -r
complete -c sitectl -n "__fish_sitectl_using_subcommand sandbox; and __fish_seen_subcommand_from serve" -l retries -d 'How often a request that may be repeated is tried again [default: 4]' -r
complete -c sitectl -n "__fish_sitectl_using_subcommand sandbox; and __fish_seen_subcommand_from serve" -l sandbox -d 'Run against the embedded practice service [env: SITECTL_SANDBOX=1]'
complete -c sitectl -n "__fish_sitectl_using_subcommand sandbox; and __fish_seen_subcommand_from serve" -l json -d 'The same as --output json'
complete -c sitectl -n "__fish_sitectl_using_subcommand sandbox; and __fish_seen_subcommand_from serve" -l no-header -d 'Leave out the header row of table and csv'
complete -c sitectl -n "__fish_sitectl_using_subcommand sandbox; and __fish_seen_subcommand_from serve" -s q -l quiet -d 'No progress, no hints; errors still print'
complete -c sitectl -n "__fish_sitectl_using_subcommand sandbox; and __fish_seen_subcommand_from serve" -s v -l verbose -d 'Show each HTTP exchange on stderr; twice for headers and bodies'
complete -c sitectl -n "__fish_sitectl_using_subcommand sandbox; and __fish_seen_subcommand_from serve" -l no-input -d 'Never ask anything; implied where stdin is not a terminal'
complete -c sitectl -n "__fish_sitectl_using_subcommand sandbox; and __fish_seen_subcommand_from serve" -s h -l help -d 'Print help'
complete -c sitectl -n "__fish_sitectl_using_subcommand sandbox; and __fish_seen_subcommand_from reset" -l db -d 'Reset this file [default: the one in the state directory]' -r -F
complete -c sitectl -n "__fish_sitectl_using_subcommand sandbox; and __fish_seen_subcommand_from reset" -l profile -d 'Use this profile of the config file [env: SITECTL_PROFILE]' -r
complete -c sitectl -n "__fish_sitectl_using_subcommand sandbox; and __fish_seen_subcommand_from reset" -l base-url -d 'The service\'s address, ends in /api/v6 [env: SITECTL_BASE_URL, and SITECTL_TOKEN for the token]' -r
complete -c sitectl -n "__fish_sitectl_using_subcommand sandbox; and __fish_seen_subcommand_from reset" -l ca-cert -d 'Trust the certificates in this PEM file, in place of the system\'s [env: SSL_CERT_FILE]' -r -F
complete -c sitectl -n "__fish_sitectl_using_subcommand sandbox; and __fish_seen_subcommand_from reset" -s o -l output -d 'How to print the result [env: SITECTL_OUTPUT] [default: table]' -r -f -a "table\t''
json\t''
ndjson\t''
csv\t''
yaml\t''
ids\t''"
complete -c sitectl -n "__fish_sitectl_using_subcommand sandbox; and __fish_seen_subcommand_from reset" -l fields -d 'Print these fields, in this order; a field inside another is a.b' -r
complete -c sitectl -n "__fish_sitectl_using_subcommand sandbox; and __fish_seen_subcommand_from reset" -l jq -d 'Filter the JSON result with jq; strings print raw' -r
complete -c sitectl -n "__fish_sitectl_using_subcommand sandbox; and __fish_seen_subcommand_from reset" -l color -d 'When to use colour [env: NO_COLOR, CLICOLOR_FORCE]' -r -f -a "auto\t''
always\t''
never\t''"
complete -c sitectl -n "__fish_sitectl_using_subcommand sandbox; and __fish_seen_subcommand_from reset" -l request-timeout -d 'The longest that one request may take [default: 30s]' -r
complete -c sitectl -n "__fish_sitectl_using_subcommand sandbox; and __fish_seen_subcommand_from reset" -l retries -d 'How often a request that may be repeated is tried again [default: 4]' -r
complete -c sitectl -n "__fish_sitectl_using_subcommand sandbox; and __fish_seen_subcommand_from reset" -l sandbox -d 'Run against the embedded practice service [env: SITECTL_SANDBOX=1]'
complete -c sitectl -n "__fish_sitectl_using_subcommand sandbox; and __fish_seen_subcommand_from reset" -l json -d 'The same as --output json'
complete -c sitectl -n "__fish_sitectl_using_subcommand sandbox; and __fish_seen_subcommand_from reset" -l no-header -d 'Leave out the header row of table and csv'
complete -c sitectl -n "__fish_sitectl_using_subcommand sandbox; and __fish_seen_subcommand_from reset" -s q -l quiet -d 'No progress, no hints; errors still print'
complete -c sitectl -n "__fish_sitectl_using_subcommand sandbox; and __fish_seen_subcommand_from reset" -s v -l verbose -d 'Show each HTTP exchange on stderr; twice for headers and bodies'
complete -c sitectl -n "__fish_sitectl_using_subcommand sandbox; and __fish_seen_subcommand_from reset" -l no-input -d 'Never ask anything; implied where stdin is not a terminal'
complete -c sitectl -n "__fish_sitectl_using_subcommand sandbox; and __fish_seen_subcommand_from reset" -s h -l help -d 'Print help'
complete -c sitectl -n "__fish_sitectl_using_subcommand sandbox; and __fish_seen_subcommand_from help" -f -a "serve" -d 'Serve the sandbox over HTTP until interrupted'
complete -c sitectl -n "__fish_sitectl_using_subcommand sandbox; and __fish_seen_subcommand_from help" -f -a "reset" -d 'Put the sandbox\'s first data back, and forget the restores that were started on it'
complete -c sitectl -n "__fish_sitectl_using_subcommand sandbox; and __fish_seen_subcommand_from help" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c sitectl -n "__fish_sitectl_using_subcommand auth; and not __fish_seen_subcommand_from login status logout help" -l profile -d 'Use this profile of the config file [env: SITECTL_PROFILE]' -r
complete -c sitectl -n "__fish_sitectl_using_subcommand auth; and not __fish_seen_subcommand_from login status logout help" -l base-url -d 'The service\'s address, ends in /api/v6 [env: SITECTL_BASE_URL, and SITECTL_TOKEN for the token]' -r
complete -c sitectl -n "__fish_sitectl_using_subcommand auth; and not __fish_seen_subcommand_from login status logout help" -l ca-cert -d 'Trust the certificates in this PEM file, in place of the system\'s [env: SSL_CERT_FILE]' -r -F
complete -c sitectl -n "__fish_sitectl_using_subcommand auth; and not __fish_seen_subcommand_from login status logout help" -s o -l output -d 'How to print the result [env: SITECTL_OUTPUT] [default: table]' -r -f -a "table\t''
json\t''
ndjson\t''
csv\t''
yaml\t''
ids\t''"
complete -c sitectl -n "__fish_sitectl_using_subcommand auth; and not __fish_seen_subcommand_from login status logout help" -l fields -d 'Print these fields, in this order; a field inside another is a.b' -r
complete -c sitectl -n "__fish_sitectl_using_subcommand auth; and not __fish_seen_subcommand_from login status logout help" -l jq -d 'Filter the JSON result with jq; strings print raw' -r
complete -c sitectl -n "__fish_sitectl_using_subcommand auth; and not __fish_seen_subcommand_from login status logout help" -l color -d 'When to use colour [env: NO_COLOR, CLICOLOR_FORCE]' -r -f -a "auto\t''
always\t''
never\t''"
complete -c sitectl -n "__fish_sitectl_using_subcommand auth; and not __fish_seen_subcommand_from login status logout help" -l request-timeout -d 'The longest that one request may take [default: 30s]' -r
complete -c sitectl -n "__fish_sitectl_using_subcommand auth; and not __fish_seen_subcommand_from login status logout help" -l retries -d 'How often a request that may be repeated is tried again [default: 4]' -r
complete -c sitectl -n "__fish_sitectl_using_subcommand auth; and not __fish_seen_subcommand_from login status logout help" -l sandbox -d 'Run against the embedded practice service [env: SITECTL_SANDBOX=1]'
complete -c sitectl -n "__fish_sitectl_using_subcommand auth; and not __fish_seen_subcommand_from login status logout help" -l json -d 'The same as --output json'
complete -c sitectl -n "__fish_sitectl_using_subcommand auth; and not __fish_seen_subcommand_from login status logout help" -l no-header -d 'Leave out the header row of table and csv'
complete -c sitectl -n "__fish_sitectl_using_subcommand auth; and not __fish_seen_subcommand_from login status logout help" -s q -l quiet -d 'No progress, no hints; errors still print'
complete -c sitectl -n "__fish_sitectl_using_subcommand auth; and not __fish_seen_subcommand_from login status logout help" -s v -l verbose -d 'Show each HTTP exchange on stderr; twice for headers and bodies'
complete -c sitectl -n "__fish_sitectl_using_subcommand auth; and not __fish_seen_subcommand_from login status logout help" -l no-input -d 'Never ask anything; implied where stdin is not a terminal'
complete -c sitectl -n "__fish_sitectl_using_subcommand auth; and not __fish_seen_subcommand_from login status logout help" -s h -l help -d 'Print help'
complete -c sitectl -n "__fish_sitectl_using_subcommand auth; and not __fish_seen_subcommand_from login status logout help" -f -a "login" -d 'Save a service\'s address and token as a profile, once the service has accepted them'
complete -c sitectl -n "__fish_sitectl_using_subcommand auth; and not __fish_seen_subcommand_from login status logout help" -f -a "status" -d 'Show which service and token are in use, where each setting is from, and whether they are accepted'
complete -c sitectl -n "__fish_sitectl_using_subcommand auth; and not __fish_seen_subcommand_from login status logout help" -f -a "logout" -d 'Take the token, or the command that prints it, out of a profile; the rest stays'
complete -c sitectl -n "__fish_sitectl_using_subcommand auth; and not __fish_seen_subcommand_from login status logout help" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c sitectl -n "__fish_sitectl_using_subcommand auth; and __fish_seen_subcommand_from login" -l token-command -d 'Save a command that prints the token; it is run whenever the token is needed' -r
complete -c sitectl -n "__fish_sitectl_using_subcommand auth; and __fish_seen_subcommand_from login" -l profile -d 'Use this profile of the config file [env: SITECTL_PROFILE]' -r
complete -c sitectl -n "__fish_sitectl_using_subcommand auth; and __fish_seen_subcommand_from login" -l base-url -d 'The service\'s address, ends in /api/v6 [env: SITECTL_BASE_URL, and SITECTL_TOKEN for the token]' -r
complete -c sitectl -n "__fish_sitectl_using_subcommand auth; and __fish_seen_subcommand_from login" -l ca-cert -d 'Trust the certificates in this PEM file, in place of the system\'s [env: SSL_CERT_FILE]' -r -F
complete -c sitectl -n "__fish_sitectl_using_subcommand auth; and __fish_seen_subcommand_from login" -s o -l output -d 'How to print the result [env: SITECTL_OUTPUT] [default: table]' -r -f -a "table\t''
json\t''
ndjson\t''
csv\t''
yaml\t''
ids\t''"
complete -c sitectl -n "__fish_sitectl_using_subcommand auth; and __fish_seen_subcommand_from login" -l fields -d 'Print these fields, in this order; a field inside another is a.b' -r
complete -c sitectl -n "__fish_sitectl_using_subcommand auth; and __fish_seen_subcommand_from login" -l jq -d 'Filter the JSON result with jq; strings print raw' -r
complete -c sitectl -n "__fish_sitectl_using_subcommand auth; and __fish_seen_subcommand_from login" -l color -d 'When to use colour [env: NO_COLOR, CLICOLOR_FORCE]' -r -f -a "auto\t''
always\t''
never\t''"
complete -c sitectl -n "__fish_sitectl_using_subcommand auth; and __fish_seen_subcommand_from login" -l request-timeout -d 'The longest that one request may take [default: 30s]' -r
complete -c sitectl -n "__fish_sitectl_using_subcommand auth; and __fish_seen_subcommand_from login" -l retries -d 'How often a request that may be repeated is tried again [default: 4]' -r
complete -c sitectl -n "__fish_sitectl_using_subcommand auth; and __fish_seen_subcommand_from login" -l with-token -d 'Read the token from stdin'
complete -c sitectl -n "__fish_sitectl_using_subcommand auth; and __fish_seen_subcommand_from login" -l no-verify -d 'Save it without asking the service'
complete -c sitectl -n "__fish_sitectl_using_subcommand auth; and __fish_seen_subcommand_from login" -l sandbox -d 'Run against the embedded practice service [env: SITECTL_SANDBOX=1]'
complete -c sitectl -n "__fish_sitectl_using_subcommand auth; and __fish_seen_subcommand_from login" -l json -d 'The same as --output json'
complete -c sitectl -n "__fish_sitectl_using_subcommand auth; and __fish_seen_subcommand_from login" -l no-header -d 'Leave out the header row of table and csv'
complete -c sitectl -n "__fish_sitectl_using_subcommand auth; and __fish_seen_subcommand_from login" -s q -l quiet -d 'No progress, no hints; errors still print'
complete -c sitectl -n "__fish_sitectl_using_subcommand auth; and __fish_seen_subcommand_from login" -s v -l verbose -d 'Show each HTTP exchange on stderr; twice for headers and bodies'
complete -c sitectl -n "__fish_sitectl_using_subcommand auth; and __fish_seen_subcommand_from login" -l no-input -d 'Never ask anything; implied where stdin is not a terminal'
complete -c sitectl -n "__fish_sitectl_using_subcommand auth; and __fish_seen_subcommand_from login" -s h -l help -d 'Print help'
complete -c sitectl -n "__fish_sitectl_using_subcommand auth; and __fish_seen_subcommand_from status" -l profile -d 'Use this profile of the config file [env: SITECTL_PROFILE]' -r
complete -c sitectl -n "__fish_sitectl_using_subcommand auth; and __fish_seen_subcommand_from status" -l base-url -d 'The service\'s address, ends in /api/v6 [env: SITECTL_BASE_URL, and SITECTL_TOKEN for the token]' -r
complete -c sitectl -n "__fish_sitectl_using_subcommand auth; and __fish_seen_subcommand_from status" -l ca-cert -d 'Trust the certificates in this PEM file, in place of the system\'s [env: SSL_CERT_FILE]' -r -F
complete -c sitectl -n "__fish_sitectl_using_subcommand auth; and __fish_seen_subcommand_from status" -s o -l output -d 'How to print the result [env: SITECTL_OUTPUT] [default: table]' -r -f -a "table\t''
json\t''
ndjson\t''
csv\t''
yaml\t''
ids\t''"
complete -c sitectl -n "__fish_sitectl_using_subcommand auth; and __fish_seen_subcommand_from status" -l fields -d 'Print these fields, in this order; a field inside another is a.b' -r
complete -c sitectl -n "__fish_sitectl_using_subcommand auth; and __fish_seen_subcommand_from status" -l jq -d 'Filter the JSON result with jq; strings print raw' -r
complete -c sitectl -n "__fish_sitectl_using_subcommand auth; and __fish_seen_subcommand_from status" -l color -d 'When to use colour [env: NO_COLOR, CLICOLOR_FORCE]' -r -f -a "auto\t''
always\t''
never\t''"
complete -c sitectl -n "__fish_sitectl_using_subcommand auth; and __fish_seen_subcommand_from status" -l request-timeout -d 'The longest that one request may take [default: 30s]' -r
complete -c sitectl -n "__fish_sitectl_using_subcommand auth; and __fish_seen_subcommand_from status" -l retries -d 'How often a request that may be repeated is tried again [default: 4]' -r
complete -c sitectl -n "__fish_sitectl_using_subcommand auth; and __fish_seen_subcommand_from status" -l offline -d 'Do not ask the service'
complete -c sitectl -n "__fish_sitectl_using_subcommand auth; and __fish_seen_subcommand_from status" -l sandbox -d 'Run against the embedded practice service [env: SITECTL_SANDBOX=1]'
complete -c sitectl -n "__fish_sitectl_using_subcommand auth; and __fish_seen_subcommand_from status" -l json -d 'The same as --output json'
complete -c sitectl -n "__fish_sitectl_using_subcommand auth; and __fish_seen_subcommand_from status" -l no-header -d 'Leave out the header row of table and csv'
complete -c sitectl -n "__fish_sitectl_using_subcommand auth; and __fish_seen_subcommand_from status" -s q -l quiet -d 'No progress, no hints; errors still print'
complete -c sitectl -n "__fish_sitectl_using_subcommand auth; and __fish_seen_subcommand_from status" -s v -l verbose -d 'Show each HTTP exchange on stderr; twice for headers and bodies'
complete -c sitectl -n "__fish_sitectl_using_subcommand auth; and __fish_seen_subcommand_from status" -l no-input -d 'Never ask anything; implied where stdin is not a terminal'
complete -c sitectl -n "__fish_sitectl_using_subcommand auth; and __fish_seen_subcommand_from status" -s h -l help -d 'Print help'
complete -c sitectl -n "__fish_sitectl_using_subcommand auth; and __fish_seen_subcommand_from logout" -l profile -d 'Use this profile of the config file [env: SITECTL_PROFILE]' -r
complete -c sitectl -n "__fish_sitectl_using_subcommand auth; and __fish_seen_subcommand_from logout" -l base-url -d 'The service\'s address, ends in /api/v6 [env: SITECTL_BASE_URL, and SITECTL_TOKEN for the token]' -r
complete -c sitectl -n "__fish_sitectl_using_subcommand auth; and __fish_seen_subcommand_from logout" -l ca-cert -d 'Trust the certificates in this PEM file, in place of the system\'s [env: SSL_CERT_FILE]' -r -F
complete -c sitectl -n "__fish_sitectl_using_subcommand auth; and __fish_seen_subcommand_from logout" -s o -l output -d 'How to print the result [env: SITECTL_OUTPUT] [default: table]' -r -f -a "table\t''
json\t''
ndjson\t''
csv\t''
yaml\t''
ids\t''"
complete -c sitectl -n "__fish_sitectl_using_subcommand auth; and __fish_seen_subcommand_from logout" -l fields -d 'Print these fields, in this order; a field inside another is a.b' -r
complete -c sitectl -n "__fish_sitectl_using_subcommand auth; and __fish_seen_subcommand_from logout" -l jq -d 'Filter the JSON result with jq; strings print raw' -r
complete -c sitectl -n "__fish_sitectl_using_subcommand auth; and __fish_seen_subcommand_from logout" -l color -d 'When to use colour [env: NO_COLOR, CLICOLOR_FORCE]' -r -f -a "auto\t''
always\t''
never\t''"
complete -c sitectl -n "__fish_sitectl_using_subcommand auth; and __fish_seen_subcommand_from logout" -l request-timeout -d 'The longest that one request may take [default: 30s]' -r
complete -c sitectl -n "__fish_sitectl_using_subcommand auth; and __fish_seen_subcommand_from logout" -l retries -d 'How often a request that may be repeated is tried again [default: 4]' -r
complete -c sitectl -n "__fish_sitectl_using_subcommand auth; and __fish_seen_subcommand_from logout" -l sandbox -d 'Run against the embedded practice service [env: SITECTL_SANDBOX=1]'
complete -c sitectl -n "__fish_sitectl_using_subcommand auth; and __fish_seen_subcommand_from logout" -l json -d 'The same as --output json'
complete -c sitectl -n "__fish_sitectl_using_subcommand auth; and __fish_seen_subcommand_from logout" -l no-header -d 'Leave out the header row of table and csv'
complete -c sitectl -n "__fish_sitectl_using_subcommand auth; and __fish_seen_subcommand_from logout" -s q -l quiet -d 'No progress, no hints; errors still print'
complete -c sitectl -n "__fish_sitectl_using_subcommand auth; and __fish_seen_subcommand_from logout" -s v -l verbose -d 'Show each HTTP exchange on stderr; twice for headers and bodies'
complete -c sitectl -n "__fish_sitectl_using_subcommand auth; and __fish_seen_subcommand_from logout" -l no-input -d 'Never ask anything; implied where stdin is not a terminal'
complete -c sitectl -n "__fish_sitectl_using_subcommand auth; and __fish_seen_subcommand_from logout" -s h -l help -d 'Print help'
complete -c sitectl -n "__fish_sitectl_using_subcommand auth; and __fish_seen_subcommand_from help" -f -a "login" -d 'Save a service\'s address and token as a profile, once the service has accepted them'
complete -c sitectl -n "__fish_sitectl_using_subcommand auth; and __fish_seen_subcommand_from help" -f -a "status" -d 'Show which service and token are in use, where each setting is from, and whether they are accepted'
complete -c sitectl -n "__fish_sitectl_using_subcommand auth; and __fish_seen_subcommand_from help" -f -a "logout" -d 'Take the token, or the command that prints it, out of a profile; the rest stays'
complete -c sitectl -n "__fish_sitectl_using_subcommand auth; and __fish_seen_subcommand_from help" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c sitectl -n "__fish_sitectl_using_subcommand profiles; and not __fish_seen_subcommand_from list use remove help" -l profile -d 'Use this profile of the config file [env: SITECTL_PROFILE]' -r
complete -c sitectl -n "__fish_sitectl_using_subcommand profiles; and not __fish_seen_subcommand_from list use remove help" -l base-url -d 'The service\'s address, ends in /api/v6 [env: SITECTL_BASE_URL, and SITECTL_TOKEN for the token]' -r
complete -c sitectl -n "__fish_sitectl_using_subcommand profiles; and not __fish_seen_subcommand_from list use remove help" -l ca-cert -d 'Trust the certificates in this PEM file, in place of the system\'s [env: SSL_CERT_FILE]' -r -F
complete -c sitectl -n "__fish_sitectl_using_subcommand profiles; and not __fish_seen_subcommand_from list use remove help" -s o -l output -d 'How to print the result [env: SITECTL_OUTPUT] [default: table]' -r -f -a "table\t''
json\t''
ndjson\t''
csv\t''
yaml\t''
ids\t''"
complete -c sitectl -n "__fish_sitectl_using_subcommand profiles; and not __fish_seen_subcommand_from list use remove help" -l fields -d 'Print these fields, in this order; a field inside another is a.b' -r
complete -c sitectl -n "__fish_sitectl_using_subcommand profiles; and not __fish_seen_subcommand_from list use remove help" -l jq -d 'Filter the JSON result with jq; strings print raw' -r
complete -c sitectl -n "__fish_sitectl_using_subcommand profiles; and not __fish_seen_subcommand_from list use remove help" -l color -d 'When to use colour [env: NO_COLOR, CLICOLOR_FORCE]' -r -f -a "auto\t''
always\t''
never\t''"
complete -c sitectl -n "__fish_sitectl_using_subcommand profiles; and not __fish_seen_subcommand_from list use remove help" -l request-timeout -d 'The longest that one request may take [default: 30s]' -r
complete -c sitectl -n "__fish_sitectl_using_subcommand profiles; and not __fish_seen_subcommand_from list use remove help" -l retries -d 'How often a request that may be repeated is tried again [default: 4]' -r
complete -c sitectl -n "__fish_sitectl_using_subcommand profiles; and not __fish_seen_subcommand_from list use remove help" -l sandbox -d 'Run against the embedded practice service [env: SITECTL_SANDBOX=1]'
complete -c sitectl -n "__fish_sitectl_using_subcommand profiles; and not __fish_seen_subcommand_from list use remove help" -l json -d 'The same as --output json'
complete -c sitectl -n "__fish_sitectl_using_subcommand profiles; and not __fish_seen_subcommand_from list use remove help" -l no-header -d 'Leave out the header row of table and csv'
complete -c sitectl -n "__fish_sitectl_using_subcommand profiles; and not __fish_seen_subcommand_from list use remove help" -s q -l quiet -d 'No progress, no hints; errors still print'
complete -c sitectl -n "__fish_sitectl_using_subcommand profiles; and not __fish_seen_subcommand_from list use remove help" -s v -l verbose -d 'Show each HTTP exchange on stderr; twice for headers and bodies'
complete -c sitectl -n "__fish_sitectl_using_subcommand profiles; and not __fish_seen_subcommand_from list use remove help" -l no-input -d 'Never ask anything; implied where stdin is not a terminal'
complete -c sitectl -n "__fish_sitectl_using_subcommand profiles; and not __fish_seen_subcommand_from list use remove help" -s h -l help -d 'Print help'
complete -c sitectl -n "__fish_sitectl_using_subcommand profiles; and not __fish_seen_subcommand_from list use remove help" -f -a "list" -d 'List the profiles of the config file'
complete -c sitectl -n "__fish_sitectl_using_subcommand profiles; and not __fish_seen_subcommand_from list use remove help" -f -a "use" -d 'Make a profile the current one: it is used where none is named'
complete -c sitectl -n "__fish_sitectl_using_subcommand profiles; and not __fish_seen_subcommand_from list use remove help" -f -a "remove" -d 'Take a profile out of the config file, with its token and all its settings'
complete -c sitectl -n "__fish_sitectl_using_subcommand profiles; and not __fish_seen_subcommand_from list use remove help" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c sitectl -n "__fish_sitectl_using_subcommand profiles; and __fish_seen_subcommand_from list" -l profile -d 'Use this profile of the config file [env: SITECTL_PROFILE]' -r
complete -c sitectl -n "__fish_sitectl_using_subcommand profiles; and __fish_seen_subcommand_from list" -l base-url -d 'The service\'s address, ends in /api/v6 [env: SITECTL_BASE_URL, and SITECTL_TOKEN for the token]' -r
complete -c sitectl -n "__fish_sitectl_using_subcommand profiles; and __fish_seen_subcommand_from list" -l ca-cert -d 'Trust the certificates in this PEM file, in place of the system\'s [env: SSL_CERT_FILE]' -r -F
complete -c sitectl -n "__fish_sitectl_using_subcommand profiles; and __fish_seen_subcommand_from list" -s o -l output -d 'How to print the result [env: SITECTL_OUTPUT] [default: table]' -r -f -a "table\t''
json\t''
ndjson\t''
csv\t''
yaml\t''
ids\t''"
complete -c sitectl -n "__fish_sitectl_using_subcommand profiles; and __fish_seen_subcommand_from list" -l fields -d 'Print these fields, in this order; a field inside another is a.b' -r
complete -c sitectl -n "__fish_sitectl_using_subcommand profiles; and __fish_seen_subcommand_from list" -l jq -d 'Filter the JSON result with jq; strings print raw' -r
complete -c sitectl -n "__fish_sitectl_using_subcommand profiles; and __fish_seen_subcommand_from list" -l color -d 'When to use colour [env: NO_COLOR, CLICOLOR_FORCE]' -r -f -a "auto\t''
always\t''
never\t''"
complete -c sitectl -n "__fish_sitectl_using_subcommand profiles; and __fish_seen_subcommand_from list" -l request-timeout -d 'The longest that one request may take [default: 30s]' -r
complete -c sitectl -n "__fish_sitectl_using_subcommand profiles; and __fish_seen_subcommand_from list" -l retries -d 'How often a request that may be repeated is tried again [default: 4]' -r
complete -c sitectl -n "__fish_sitectl_using_subcommand profiles; and __fish_seen_subcommand_from list" -l sandbox -d 'Run against the embedded practice service [env: SITECTL_SANDBOX=1]'
complete -c sitectl -n "__fish_sitectl_using_subcommand profiles; and __fish_seen_subcommand_from list" -l json -d 'The same as --output json'
complete -c sitectl -n "__fish_sitectl_using_subcommand profiles; and __fish_seen_subcommand_from list" -l no-header -d 'Leave out the header row of table and csv'
complete -c sitectl -n "__fish_sitectl_using_subcommand profiles; and __fish_seen_subcommand_from list" -s q -l quiet -d 'No progress, no hints; errors still print'
complete -c sitectl -n "__fish_sitectl_using_subcommand profiles; and __fish_seen_subcommand_from list" -s v -l verbose -d 'Show each HTTP exchange on stderr; twice for headers and bodies'
complete -c sitectl -n "__fish_sitectl_using_subcommand profiles; and __fish_seen_subcommand_from list" -l no-input -d 'Never ask anything; implied where stdin is not a terminal'
complete -c sitectl -n "__fish_sitectl_using_subcommand profiles; and __fish_seen_subcommand_from list" -s h -l help -d 'Print help'
complete -c sitectl -n "__fish_sitectl_using_subcommand profiles; and __fish_seen_subcommand_from use" -l profile -d 'Use this profile of the config file [env: SITECTL_PROFILE]' -r
complete -c sitectl -n "__fish_sitectl_using_subcommand profiles; and __fish_seen_subcommand_from use" -l base-url -d 'The service\'s address, ends in /api/v6 [env: SITECTL_BASE_URL, and SITECTL_TOKEN for the token]' -r
complete -c sitectl -n "__fish_sitectl_using_subcommand profiles; and __fish_seen_subcommand_from use" -l ca-cert -d 'Trust the certificates in this PEM file, in place of the system\'s [env: SSL_CERT_FILE]' -r -F
complete -c sitectl -n "__fish_sitectl_using_subcommand profiles; and __fish_seen_subcommand_from use" -s o -l output -d 'How to print the result [env: SITECTL_OUTPUT] [default: table]' -r -f -a "table\t''
json\t''
ndjson\t''
csv\t''
yaml\t''
ids\t''"
complete -c sitectl -n "__fish_sitectl_using_subcommand profiles; and __fish_seen_subcommand_from use" -l fields -d 'Print these fields, in this order; a field inside another is a.b' -r
complete -c sitectl -n "__fish_sitectl_using_subcommand profiles; and __fish_seen_subcommand_from use" -l jq -d 'Filter the JSON result with jq; strings print raw' -r
complete -c sitectl -n "__fish_sitectl_using_subcommand profiles; and __fish_seen_subcommand_from use" -l color -d 'When to use colour [env: NO_COLOR, CLICOLOR_FORCE]' -r -f -a "auto\t''
always\t''
never\t''"
complete -c sitectl -n "__fish_sitectl_using_subcommand profiles; and __fish_seen_subcommand_from use" -l request-timeout -d 'The longest that one request may take [default: 30s]' -r
complete -c sitectl -n "__fish_sitectl_using_subcommand profiles; and __fish_seen_subcommand_from use" -l retries -d 'How often a request that may be repeated is tried again [default: 4]' -r
complete -c sitectl -n "__fish_sitectl_using_subcommand profiles; and __fish_seen_subcommand_from use" -l sandbox -d 'Run against the embedded practice service [env: SITECTL_SANDBOX=1]'
complete -c sitectl -n "__fish_sitectl_using_subcommand profiles; and __fish_seen_subcommand_from use" -l json -d 'The same as --output json'
complete -c sitectl -n "__fish_sitectl_using_subcommand profiles; and __fish_seen_subcommand_from use" -l no-header -d 'Leave out the header row of table and csv'
complete -c sitectl -n "__fish_sitectl_using_subcommand profiles; and __fish_seen_subcommand_from use" -s q -l quiet -d 'No progress, no hints; errors still print'
complete -c sitectl -n "__fish_sitectl_using_subcommand profiles; and __fish_seen_subcommand_from use" -s v -l verbose -d 'Show each HTTP exchange on stderr; twice for headers and bodies'
complete -c sitectl -n "__fish_sitectl_using_subcommand profiles; and __fish_seen_subcommand_from use" -l no-input -d 'Never ask anything; implied where stdin is not a terminal'
complete -c sitectl -n "__fish_sitectl_using_subcommand profiles; and __fish_seen_subcommand_from use" -s h -l help -d 'Print help'
complete -c sitectl -n "__fish_sitectl_using_subcommand profiles; and __fish_seen_subcommand_from remove" -l profile -d 'Use this profile of the config file [env: SITECTL_PROFILE]' -r
complete -c sitectl -n "__fish_sitectl_using_subcommand profiles; and __fish_seen_subcommand_from remove" -l base-url -d 'The service\'s address, ends in /api/v6 [env: SITECTL_BASE_URL, and SITECTL_TOKEN for the token]' -r
complete -c sitectl -n "__fish_sitectl_using_subcommand profiles; and __fish_seen_subcommand_from remove" -l ca-cert -d 'Trust the certificates in this PEM file, in place of the system\'s [env: SSL_CERT_FILE]' -r -F
complete -c sitectl -n "__fish_sitectl_using_subcommand profiles; and __fish_seen_subcommand_from remove" -s o -l output -d 'How to print the result [env: SITECTL_OUTPUT] [default: table]' -r -f -a "table\t''
json\t''
ndjson\t''
csv\t''
yaml\t''
ids\t''"
complete -c sitectl -n "__fish_sitectl_using_subcommand profiles; and __fish_seen_subcommand_from remove" -l fields -d 'Print these fields, in this order; a field inside another is a.b' -r
complete -c sitectl -n "__fish_sitectl_using_subcommand profiles; and __fish_seen_subcommand_from remove" -l jq -d 'Filter the JSON result with jq; strings print raw' -r
complete -c sitectl -n "__fish_sitectl_using_subcommand profiles; and __fish_seen_subcommand_from remove" -l color -d 'When to use colour [env: NO_COLOR, CLICOLOR_FORCE]' -r -f -a "auto\t''
always\t''
never\t''"
complete -c sitectl -n "__fish_sitectl_using_subcommand profiles; and __fish_seen_subcommand_from remove" -l request-timeout -d 'The longest that one request may take [default: 30s]' -r
complete -c sitectl -n "__fish_sitectl_using_subcommand profiles; and __fish_seen_subcommand_from remove" -l retries -d 'How often a request that may be repeated is tried again [default: 4]' -r
complete -c sitectl -n "__fish_sitectl_using_subcommand profiles; and __fish_seen_subcommand_from remove" -s y -l yes -d 'Do not ask'
complete -c sitectl -n "__fish_sitectl_using_subcommand profiles; and __fish_seen_subcommand_from remove" -l sandbox -d 'Run against the embedded practice service [env: SITECTL_SANDBOX=1]'
complete -c sitectl -n "__fish_sitectl_using_subcommand profiles; and __fish_seen_subcommand_from remove" -l json -d 'The same as --output json'
complete -c sitectl -n "__fish_sitectl_using_subcommand profiles; and __fish_seen_subcommand_from remove" -l no-header -d 'Leave out the header row of table and csv'
complete -c sitectl -n "__fish_sitectl_using_subcommand profiles; and __fish_seen_subcommand_from remove" -s q -l quiet -d 'No progress, no hints; errors still print'
complete -c sitectl -n "__fish_sitectl_using_subcommand profiles; and __fish_seen_subcommand_from remove" -s v -l verbose -d 'Show each HTTP exchange on stderr; twice for headers and bodies'
complete -c sitectl -n "__fish_sitectl_using_subcommand profiles; and __fish_seen_subcommand_from remove" -l no-input -d 'Never ask anything; implied where stdin is not a terminal'
complete -c sitectl -n "__fish_sitectl_using_subcommand profiles; and __fish_seen_subcommand_from remove" -s h -l help -d 'Print help'
complete -c sitectl -n "__fish_sitectl_using_subcommand profiles; and __fish_seen_subcommand_from help" -f -a "list" -d 'List the profiles of the config file'
complete -c sitectl -n "__fish_sitectl_using_subcommand profiles; and __fish_seen_subcommand_from help" -f -a "use" -d 'Make a profile the current one: it is used where none is named'
complete -c sitectl -n "__fish_sitectl_using_subcommand profiles; and __fish_seen_subcommand_from help" -f -a "remove" -d 'Take a profile out of the config file, with its token and all its settings'
complete -c sitectl -n "__fish_sitectl_using_subcommand profiles; and __fish_seen_subcommand_from help" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c sitectl -n "__fish_sitectl_using_subcommand completions" -l profile -d 'Use this profile of the config file [env: SITECTL_PROFILE]' -r
complete -c sitectl -n "__fish_sitectl_using_subcommand completions" -l base-url -d 'The service\'s address, ends in /api/v6 [env: SITECTL_BASE_URL, and SITECTL_TOKEN for the token]' -r
complete -c sitectl -n "__fish_sitectl_using_subcommand completions" -l ca-cert -d 'Trust the certificates in this PEM file, in place of the system\'s [env: SSL_CERT_FILE]' -r -F
complete -c sitectl -n "__fish_sitectl_using_subcommand completions" -s o -l output -d 'How to print the result [env: SITECTL_OUTPUT] [default: table]' -r -f -a "table\t''
json\t''
ndjson\t''
csv\t''
yaml\t''
ids\t''"
complete -c sitectl -n "__fish_sitectl_using_subcommand completions" -l fields -d 'Print these fields, in this order; a field inside another is a.b' -r
complete -c sitectl -n "__fish_sitectl_using_subcommand completions" -l jq -d 'Filter the JSON result with jq; strings print raw' -r
complete -c sitectl -n "__fish_sitectl_using_subcommand completions" -l color -d 'When to use colour [env: NO_COLOR, CLICOLOR_FORCE]' -r -f -a "auto\t''
always\t''
never\t''"
complete -c sitectl -n "__fish_sitectl_using_subcommand completions" -l request-timeout -d 'The longest that one request may take [default: 30s]' -r
complete -c sitectl -n "__fish_sitectl_using_subcommand completions" -l retries -d 'How often a request that may be repeated is tried again [default: 4]' -r
complete -c sitectl -n "__fish_sitectl_using_subcommand completions" -l sandbox -d 'Run against the embedded practice service [env: SITECTL_SANDBOX=1]'
complete -c sitectl -n "__fish_sitectl_using_subcommand completions" -l json -d 'The same as --output json'
complete -c sitectl -n "__fish_sitectl_using_subcommand completions" -l no-header -d 'Leave out the header row of table and csv'
complete -c sitectl -n "__fish_sitectl_using_subcommand completions" -s q -l quiet -d 'No progress, no hints; errors still print'
complete -c sitectl -n "__fish_sitectl_using_subcommand completions" -s v -l verbose -d 'Show each HTTP exchange on stderr; twice for headers and bodies'
complete -c sitectl -n "__fish_sitectl_using_subcommand completions" -l no-input -d 'Never ask anything; implied where stdin is not a terminal'
complete -c sitectl -n "__fish_sitectl_using_subcommand completions" -s h -l help -d 'Print help'
complete -c sitectl -n "__fish_sitectl_using_subcommand explain" -l profile -d 'Use this profile of the config file [env: SITECTL_PROFILE]' -r
complete -c sitectl -n "__fish_sitectl_using_subcommand explain" -l base-url -d 'The service\'s address, ends in /api/v6 [env: SITECTL_BASE_URL, and SITECTL_TOKEN for the token]' -r
complete -c sitectl -n "__fish_sitectl_using_subcommand explain" -l ca-cert -d 'Trust the certificates in this PEM file, in place of the system\'s [env: SSL_CERT_FILE]' -r -F
complete -c sitectl -n "__fish_sitectl_using_subcommand explain" -s o -l output -d 'How to print the result [env: SITECTL_OUTPUT] [default: table]' -r -f -a "table\t''
json\t''
ndjson\t''
csv\t''
yaml\t''
ids\t''"
complete -c sitectl -n "__fish_sitectl_using_subcommand explain" -l fields -d 'Print these fields, in this order; a field inside another is a.b' -r
complete -c sitectl -n "__fish_sitectl_using_subcommand explain" -l jq -d 'Filter the JSON result with jq; strings print raw' -r
complete -c sitectl -n "__fish_sitectl_using_subcommand explain" -l color -d 'When to use colour [env: NO_COLOR, CLICOLOR_FORCE]' -r -f -a "auto\t''
always\t''
never\t''"
complete -c sitectl -n "__fish_sitectl_using_subcommand explain" -l request-timeout -d 'The longest that one request may take [default: 30s]' -r
complete -c sitectl -n "__fish_sitectl_using_subcommand explain" -l retries -d 'How often a request that may be repeated is tried again [default: 4]' -r
complete -c sitectl -n "__fish_sitectl_using_subcommand explain" -l sandbox -d 'Run against the embedded practice service [env: SITECTL_SANDBOX=1]'
complete -c sitectl -n "__fish_sitectl_using_subcommand explain" -l json -d 'The same as --output json'
complete -c sitectl -n "__fish_sitectl_using_subcommand explain" -l no-header -d 'Leave out the header row of table and csv'
complete -c sitectl -n "__fish_sitectl_using_subcommand explain" -s q -l quiet -d 'No progress, no hints; errors still print'
complete -c sitectl -n "__fish_sitectl_using_subcommand explain" -s v -l verbose -d 'Show each HTTP exchange on stderr; twice for headers and bodies'
complete -c sitectl -n "__fish_sitectl_using_subcommand explain" -l no-input -d 'Never ask anything; implied where stdin is not a terminal'
complete -c sitectl -n "__fish_sitectl_using_subcommand explain" -s h -l help -d 'Print help'
complete -c sitectl -n "__fish_sitectl_using_subcommand help; and not __fish_seen_subcommand_from clients managed-accounts restore tasks sites snapshots api sandbox auth profiles completions explain help" -f -a "clients" -d 'List, show and change the clients whose sites are managed'
complete -c sitectl -n "__fish_sitectl_using_subcommand help; and not __fish_seen_subcommand_from clients managed-accounts restore tasks sites snapshots api sandbox auth profiles completions explain help" -f -a "managed-accounts" -d 'List and show the accounts of others that this account may use'
complete -c sitectl -n "__fish_sitectl_using_subcommand help; and not __fish_seen_subcommand_from clients managed-accounts restore tasks sites snapshots api sandbox auth profiles completions explain help" -f -a "restore" -d 'Start restores of sites and watch them to their end'
complete -c sitectl -n "__fish_sitectl_using_subcommand help; and not __fish_seen_subcommand_from clients managed-accounts restore tasks sites snapshots api sandbox auth profiles completions explain help" -f -a "tasks" -d 'Show background tasks'
complete -c sitectl -n "__fish_sitectl_using_subcommand help; and not __fish_seen_subcommand_from clients managed-accounts restore tasks sites snapshots api sandbox auth profiles completions explain help" -f -a "sites" -d 'List the sites of the account'
complete -c sitectl -n "__fish_sitectl_using_subcommand help; and not __fish_seen_subcommand_from clients managed-accounts restore tasks sites snapshots api sandbox auth profiles completions explain help" -f -a "snapshots" -d 'List the snapshots of a site'
complete -c sitectl -n "__fish_sitectl_using_subcommand help; and not __fish_seen_subcommand_from clients managed-accounts restore tasks sites snapshots api sandbox auth profiles completions explain help" -f -a "api" -d 'Send a request by hand, to any area of the service'
complete -c sitectl -n "__fish_sitectl_using_subcommand help; and not __fish_seen_subcommand_from clients managed-accounts restore tasks sites snapshots api sandbox auth profiles completions explain help" -f -a "sandbox" -d 'Practise on a local service that keeps the rules of the real one'
complete -c sitectl -n "__fish_sitectl_using_subcommand help; and not __fish_seen_subcommand_from clients managed-accounts restore tasks sites snapshots api sandbox auth profiles completions explain help" -f -a "auth" -d 'Save the address and token of a service, and see whether they are accepted'
complete -c sitectl -n "__fish_sitectl_using_subcommand help; and not __fish_seen_subcommand_from clients managed-accounts restore tasks sites snapshots api sandbox auth profiles completions explain help" -f -a "profiles" -d 'List, choose and remove the profiles of the config file'
complete -c sitectl -n "__fish_sitectl_using_subcommand help; and not __fish_seen_subcommand_from clients managed-accounts restore tasks sites snapshots api sandbox auth profiles completions explain help" -f -a "completions" -d 'Print the completion script for a shell'
complete -c sitectl -n "__fish_sitectl_using_subcommand help; and not __fish_seen_subcommand_from clients managed-accounts restore tasks sites snapshots api sandbox auth profiles completions explain help" -f -a "explain" -d 'Explain an error by its kind, its exit code or the code of one of its details'
complete -c sitectl -n "__fish_sitectl_using_subcommand help; and not __fish_seen_subcommand_from clients managed-accounts restore tasks sites snapshots api sandbox auth profiles completions explain help" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c sitectl -n "__fish_sitectl_using_subcommand help; and __fish_seen_subcommand_from clients" -f -a "apply" -d 'Make the account\'s clients match a file: create, update and, with --prune, delete them'
complete -c sitectl -n "__fish_sitectl_using_subcommand help; and __fish_seen_subcommand_from clients" -f -a "create" -d 'Create a client. On a terminal, what is missing is asked for'
complete -c sitectl -n "__fish_sitectl_using_subcommand help; and __fish_seen_subcommand_from clients" -f -a "delete" -d 'Delete clients; their sites stay, and belong to no client'
complete -c sitectl -n "__fish_sitectl_using_subcommand help; and __fish_seen_subcommand_from clients" -f -a "list" -d 'List clients: all of them, newest first, or those that match'
complete -c sitectl -n "__fish_sitectl_using_subcommand help; and __fish_seen_subcommand_from clients" -f -a "show" -d 'Show one client, all its fields'
complete -c sitectl -n "__fish_sitectl_using_subcommand help; and __fish_seen_subcommand_from clients" -f -a "update" -d 'Change a client\'s details, note or sites; what is not named stays as it is'
complete -c sitectl -n "__fish_sitectl_using_subcommand help; and __fish_seen_subcommand_from managed-accounts" -f -a "list" -d 'List managed accounts and invitations: all of them, newest first, or those that match'
complete -c sitectl -n "__fish_sitectl_using_subcommand help; and __fish_seen_subcommand_from managed-accounts" -f -a "show" -d 'Show one managed account, all its fields'
complete -c sitectl -n "__fish_sitectl_using_subcommand help; and __fish_seen_subcommand_from restore" -f -a "history" -d 'Show the restores that were started from this machine, whatever the profile, newest first'
complete -c sitectl -n "__fish_sitectl_using_subcommand help; and __fish_seen_subcommand_from restore" -f -a "start" -d 'Restore a site from a snapshot. This overwrites the live site'
complete -c sitectl -n "__fish_sitectl_using_subcommand help; and __fish_seen_subcommand_from restore" -f -a "watch" -d 'Watch restores until they end; without ids, all that this profile has started here and not yet seen end'
complete -c sitectl -n "__fish_sitectl_using_subcommand help; and __fish_seen_subcommand_from tasks" -f -a "show" -d 'Show a background task as it stands now; `restore watch` waits for its end'
complete -c sitectl -n "__fish_sitectl_using_subcommand help; and __fish_seen_subcommand_from sites" -f -a "list" -d 'List the sites of the account'
complete -c sitectl -n "__fish_sitectl_using_subcommand help; and __fish_seen_subcommand_from snapshots" -f -a "list" -d 'List a site\'s snapshots'
complete -c sitectl -n "__fish_sitectl_using_subcommand help; and __fish_seen_subcommand_from sandbox" -f -a "serve" -d 'Serve the sandbox over HTTP until interrupted'
complete -c sitectl -n "__fish_sitectl_using_subcommand help; and __fish_seen_subcommand_from sandbox" -f -a "reset" -d 'Put the sandbox\'s first data back, and forget the restores that were started on it'
complete -c sitectl -n "__fish_sitectl_using_subcommand help; and __fish_seen_subcommand_from auth" -f -a "login" -d 'Save a service\'s address and token as a profile, once the service has accepted them'
complete -c sitectl -n "__fish_sitectl_using_subcommand help; and __fish_seen_subcommand_from auth" -f -a "status" -d 'Show which service and token are in use, where each setting is from, and whether they are accepted'
complete -c sitectl -n "__fish_sitectl_using_subcommand help; and __fish_seen_subcommand_from auth" -f -a "logout" -d 'Take the token, or the command that prints it, out of a profile; the rest stays'
complete -c sitectl -n "__fish_sitectl_using_subcommand help; and __fish_seen_subcommand_from profiles" -f -a "list" -d 'List the profiles of the config file'
complete -c sitectl -n "__fish_sitectl_using_subcommand help; and __fish_seen_subcommand_from profiles" -f -a "use" -d 'Make a profile the current one: it is used where none is named'
complete -c sitectl -n "__fish_sitectl_using_subcommand help; and __fish_seen_subcommand_from profiles" -f -a "remove" -d 'Take a profile out of the config file, with its token and all its settings'
