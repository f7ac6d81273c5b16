
using namespace System.Management.Automation
using namespace System.Management.Automation.Language

Register-ArgumentCompleter -Native -CommandName 'sitectl' -ScriptBlock {
    param($wordToComplete, $commandAst, $cursorPosition)

    $commandElements = $commandAst.CommandElements
    $command = @(
        'sitectl'
        for ($i = 1; $i -lt $commandElements.Count; $i++) {
            $element = $commandElements[$i]
            if ($element -isnot [StringConstantExpressionAst] -or
                $element.StringConstantType -ne [StringConstantType]::BareWord -or
                $element.Value.StartsWith('-') -or
                $element.Value -eq $wordToComplete) {
                break
        }
        $element.Value
    }) -join ';'

    $completions = @(switch ($command) {
        'sitectl' {
            [CompletionResult]::new('--profile', '--profile', [CompletionResultType]::ParameterName, 'Use this profile of the config file [env: SITECTL_PROFILE]')
            [CompletionResult]::new('--base-url', '--base-url', [CompletionResultType]::ParameterName, 'The service''s address, ends in /api/v6 [env: SITECTL_BASE_URL, and SITECTL_TOKEN for the token]')
            [CompletionResult]::new('--ca-cert', '--ca-cert', [CompletionResultType]::ParameterName, 'Trust the certificates in this PEM file, in place of the system''s [env: SSL_CERT_FILE]')
            [CompletionResult]::new('-o', '-o', [CompletionResultType]::ParameterName, 'How to print the result [env: SITECTL_OUTPUT] [default: table]')
            [CompletionResult]::new('--output', '--output', [CompletionResultType]::ParameterName, 'How to print the result [env: SITECTL_OUTPUT] [default: table]')
            [CompletionResult]::new('--fields', '--fields', [CompletionResultType]::ParameterName, 'Print these fields, in this order; a field inside another is a.b')
            [CompletionResult]::new('--jq', '--jq', [CompletionResultType]::ParameterName, 'Filter the JSON result with jq; strings print raw')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour [env: NO_COLOR, CLICOLOR_FORCE]')
            [CompletionResult]::new('--request-timeout', '--request-timeout', [CompletionResultType]::ParameterName, 'The longest that one request may take [default: 30s]')
            [CompletionResult]::new('--retries', '--retries', [CompletionResultType]::ParameterName, 'How often a request that may be repeated is tried again [default: 4]')
            [CompletionResult]::new('--sandbox', '--sandbox', [CompletionResultType]::ParameterName, 'Run against the embedded practice service [env: SITECTL_SANDBOX=1]')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'The same as --output json')
            [CompletionResult]::new('--no-header', '--no-header', [CompletionResultType]::ParameterName, 'Leave out the header row of table and csv')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'No progress, no hints; errors still print')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'No progress, no hints; errors still print')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Show each HTTP exchange on stderr; twice for headers and bodies')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Show each HTTP exchange on stderr; twice for headers and bodies')
            [CompletionResult]::new('--no-input', '--no-input', [CompletionResultType]::ParameterName, 'Never ask anything; implied where stdin is not a terminal')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('-V', '-V ', [CompletionResultType]::ParameterName, 'Print version')
            [CompletionResult]::new('--version', '--version', [CompletionResultType]::ParameterName, 'Print version')
            [CompletionResult]::new('clients', 'clients', [CompletionResultType]::ParameterValue, 'List, show and change the clients whose sites are managed')
            [CompletionResult]::new('managed-accounts', 'managed-accounts', [CompletionResultType]::ParameterValue, 'List and show the accounts of others that this account may use')
            [CompletionResult]::new('restore', 'restore', [CompletionResultType]::ParameterValue, 'Start restores of sites and watch them to their end')
            [CompletionResult]::new('tasks', 'tasks', [CompletionResultType]::ParameterValue, 'Show background tasks')
            [CompletionResult]::new('sites', 'sites', [CompletionResultType]::ParameterValue, 'List the sites of the account')
            [CompletionResult]::new('snapshots', 'snapshots', [CompletionResultType]::ParameterValue, 'List the snapshots of a site')
            [CompletionResult]::new('api', 'api', [CompletionResultType]::ParameterValue, 'Send a request by hand, to any area of the service')
            [CompletionResult]::new('sandbox', 'sandbox', [CompletionResultType]::ParameterValue, 'Practise on a local service that keeps the rules of the real one')
            [CompletionResult]::new('auth', 'auth', [CompletionResultType]::ParameterValue, 'Save the address and token of a service, and see whether they are accepted')
            [CompletionResult]::new('profiles', 'profiles', [CompletionResultType]::ParameterValue, 'List, choose and remove the profiles of the config file')
            [CompletionResult]::new('completions', 'completions', [CompletionResultType]::ParameterValue, 'Print the completion script for a shell')
            [CompletionResult]::new('explain', 'explain', [CompletionResultType]::ParameterValue, 'Explain an error by its kind, its exit code or the code of one of its details')
            [CompletionResult]::new('help', 'help', [CompletionResultType]::ParameterValue, 'Print this message or the help of the given subcommand(s)')
            break
        }
        'sitectl;clients' {
            [CompletionResult]::new('--profile', '--profile', [CompletionResultType]::ParameterName, 'Use this profile of the config file [env: SITECTL_PROFILE]')
            [CompletionResult]::new('--base-url', '--base-url', [CompletionResultType]::ParameterName, 'The service''s address, ends in /api/v6 [env: SITECTL_BASE_URL, and SITECTL_TOKEN for the token]')
            [CompletionResult]::new('--ca-cert', '--ca-cert', [CompletionResultType]::ParameterName, 'Trust the certificates in this PEM file, in place of the system''s [env: SSL_CERT_FILE]')
            [CompletionResult]::new('-o', '-o', [CompletionResultType]::ParameterName, 'How to print the result [env: SITECTL_OUTPUT] [default: table]')
            [CompletionResult]::new('--output', '--output', [CompletionResultType]::ParameterName, 'How to print the result [env: SITECTL_OUTPUT] [default: table]')
            [CompletionResult]::new('--fields', '--fields', [CompletionResultType]::ParameterName, 'Print these fields, in this order; a field inside another is a.b')
            [CompletionResult]::new('--jq', '--jq', [CompletionResultType]::ParameterName, 'Filter the JSON result with jq; strings print raw')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour [env: NO_COLOR, CLICOLOR_FORCE]')
            [CompletionResult]::new('--request-timeout', '--request-timeout', [CompletionResultType]::ParameterName, 'The longest that one request may take [default: 30s]')
            [CompletionResult]::new('--retries', '--retries', [CompletionResultType]::ParameterName, 'How often a request that may be repeated is tried again [default: 4]')
            [CompletionResult]::new('--sandbox', '--sandbox', [CompletionResultType]::ParameterName, 'Run against the embedded practice service [env: SITECTL_SANDBOX=1]')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'The same as --output json')
            [CompletionResult]::new('--no-header', '--no-header', [CompletionResultType]::ParameterName, 'Leave out the header row of table and csv')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'No progress, no hints; errors still print')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'No progress, no hints; errors still print')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Show each HTTP exchange on stderr; twice for headers and bodies')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Show each HTTP exchange on stderr; twice for headers and bodies')
            [CompletionResult]::new('--no-input', '--no-input', [CompletionResultType]::ParameterName, 'Never ask anything; implied where stdin is not a terminal')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('apply', 'apply', [CompletionResultType]::ParameterValue, 'Make the account''s clients match a file: create, update and, with --prune, delete them')
            [CompletionResult]::new('create', 'create', [CompletionResultType]::ParameterValue, 'Create a client. On a terminal, what is missing is asked for')
            [CompletionResult]::new('delete', 'delete', [CompletionResultType]::ParameterValue, 'Delete clients; their sites stay, and belong to no client')
            [CompletionResult]::new('list', 'list', [CompletionResultType]::ParameterValue, 'List clients: all of them, newest first, or those that match')
            [CompletionResult]::new('show', 'show', [CompletionResultType]::ParameterValue, 'Show one client, all its fields')
            [CompletionResult]::new('update', 'update', [CompletionResultType]::ParameterValue, 'Change a client''s details, note or sites; what is not named stays as it is')
            [CompletionResult]::new('help', 'help', [CompletionResultType]::ParameterValue, 'Print this message or the help of the given subcommand(s)')
            break
        }
        'sitectl;clients;apply' {
            [CompletionResult]::new('--input-format', '--input-format', [CompletionResultType]::ParameterName, 'The format of the file [default: by its name, else by what is in it]')
            [CompletionResult]::new('--confirm', '--confirm', [CompletionResultType]::ParameterName, 'The profile that is meant: answers where a protected one asks for its name; refused where another is in use')
            [CompletionResult]::new('--failed-to', '--failed-to', [CompletionResultType]::ParameterName, 'Write the rows that failed, if any, to this file, in the format of the input; it is replaced')
            [CompletionResult]::new('--concurrency', '--concurrency', [CompletionResultType]::ParameterName, 'Changes sent at the same time')
            [CompletionResult]::new('--profile', '--profile', [CompletionResultType]::ParameterName, 'Use this profile of the config file [env: SITECTL_PROFILE]')
            [CompletionResult]::new('--base-url', '--base-url', [CompletionResultType]::ParameterName, 'The service''s address, ends in /api/v6 [env: SITECTL_BASE_URL, and SITECTL_TOKEN for the token]')
            [CompletionResult]::new('--ca-cert', '--ca-cert', [CompletionResultType]::ParameterName, 'Trust the certificates in this PEM file, in place of the system''s [env: SSL_CERT_FILE]')
            [CompletionResult]::new('-o', '-o', [CompletionResultType]::ParameterName, 'How to print the result [env: SITECTL_OUTPUT] [default: table]')
            [CompletionResult]::new('--output', '--output', [CompletionResultType]::ParameterName, 'How to print the result [env: SITECTL_OUTPUT] [default: table]')
            [CompletionResult]::new('--fields', '--fields', [CompletionResultType]::ParameterName, 'Print these fields, in this order; a field inside another is a.b')
            [CompletionResult]::new('--jq', '--jq', [CompletionResultType]::ParameterName, 'Filter the JSON result with jq; strings print raw')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour [env: NO_COLOR, CLICOLOR_FORCE]')
            [CompletionResult]::new('--request-timeout', '--request-timeout', [CompletionResultType]::ParameterName, 'The longest that one request may take [default: 30s]')
            [CompletionResult]::new('--retries', '--retries', [CompletionResultType]::ParameterName, 'How often a request that may be repeated is tried again [default: 4]')
            [CompletionResult]::new('--dry-run', '--dry-run', [CompletionResultType]::ParameterName, 'Print what would change, and change nothing')
            [CompletionResult]::new('--prune', '--prune', [CompletionResultType]::ParameterName, 'Delete the clients that are not in the file (a pipe that breaks off looks like a short file)')
            [CompletionResult]::new('-y', '-y', [CompletionResultType]::ParameterName, 'Do not ask; a protected profile still asks for its name')
            [CompletionResult]::new('--yes', '--yes', [CompletionResultType]::ParameterName, 'Do not ask; a protected profile still asks for its name')
            [CompletionResult]::new('--sandbox', '--sandbox', [CompletionResultType]::ParameterName, 'Run against the embedded practice service [env: SITECTL_SANDBOX=1]')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'The same as --output json')
            [CompletionResult]::new('--no-header', '--no-header', [CompletionResultType]::ParameterName, 'Leave out the header row of table and csv')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'No progress, no hints; errors still print')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'No progress, no hints; errors still print')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Show each HTTP exchange on stderr; twice for headers and bodies')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Show each HTTP exchange on stderr; twice for headers and bodies')
            [CompletionResult]::new('--no-input', '--no-input', [CompletionResultType]::ParameterName, 'Never ask anything; implied where stdin is not a terminal')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'sitectl;clients;create' {
            [CompletionResult]::new('--first-name', '--first-name', [CompletionResultType]::ParameterName, 'First name, at most 255 characters')
            [CompletionResult]::new('--last-name', '--last-name', [CompletionResultType]::ParameterName, 'Last name, at most 255 characters')
            [CompletionResult]::new('--email', '--email', [CompletionResultType]::ParameterName, 'Email, which no other client may have')
            [CompletionResult]::new('--company-name', '--company-name', [CompletionResultType]::ParameterName, 'Company name, at most 255 characters')
            [CompletionResult]::new('--address', '--address', [CompletionResultType]::ParameterName, 'Postal address, at most 2000 characters')
            [CompletionResult]::new('--note', '--note', [CompletionResultType]::ParameterName, 'Anything worth remembering, at most 5000 characters')
            [CompletionResult]::new('--from-file', '--from-file', [CompletionResultType]::ParameterName, 'Take the fields from a JSON object in a file, or - for stdin; flags go before it')
            [CompletionResult]::new('--site', '--site', [CompletionResultType]::ParameterName, 'A site to group under the client; can be given several times')
            [CompletionResult]::new('--if-exists', '--if-exists', [CompletionResultType]::ParameterName, 'What to do where a client with this email is there already')
            [CompletionResult]::new('--confirm', '--confirm', [CompletionResultType]::ParameterName, 'The profile that is meant: answers where a protected one asks for its name; refused where another is in use')
            [CompletionResult]::new('--profile', '--profile', [CompletionResultType]::ParameterName, 'Use this profile of the config file [env: SITECTL_PROFILE]')
            [CompletionResult]::new('--base-url', '--base-url', [CompletionResultType]::ParameterName, 'The service''s address, ends in /api/v6 [env: SITECTL_BASE_URL, and SITECTL_TOKEN for the token]')
            [CompletionResult]::new('--ca-cert', '--ca-cert', [CompletionResultType]::ParameterName, 'Trust the certificates in this PEM file, in place of the system''s [env: SSL_CERT_FILE]')
            [CompletionResult]::new('-o', '-o', [CompletionResultType]::ParameterName, 'How to print the result [env: SITECTL_OUTPUT] [default: table]')
            [CompletionResult]::new('--output', '--output', [CompletionResultType]::ParameterName, 'How to print the result [env: SITECTL_OUTPUT] [default: table]')
            [CompletionResult]::new('--fields', '--fields', [CompletionResultType]::ParameterName, 'Print these fields, in this order; a field inside another is a.b')
            [CompletionResult]::new('--jq', '--jq', [CompletionResultType]::ParameterName, 'Filter the JSON result with jq; strings print raw')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour [env: NO_COLOR, CLICOLOR_FORCE]')
            [CompletionResult]::new('--request-timeout', '--request-timeout', [CompletionResultType]::ParameterName, 'The longest that one request may take [default: 30s]')
            [CompletionResult]::new('--retries', '--retries', [CompletionResultType]::ParameterName, 'How often a request that may be repeated is tried again [default: 4]')
            [CompletionResult]::new('--sandbox', '--sandbox', [CompletionResultType]::ParameterName, 'Run against the embedded practice service [env: SITECTL_SANDBOX=1]')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'The same as --output json')
            [CompletionResult]::new('--no-header', '--no-header', [CompletionResultType]::ParameterName, 'Leave out the header row of table and csv')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'No progress, no hints; errors still print')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'No progress, no hints; errors still print')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Show each HTTP exchange on stderr; twice for headers and bodies')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Show each HTTP exchange on stderr; twice for headers and bodies')
            [CompletionResult]::new('--no-input', '--no-input', [CompletionResultType]::ParameterName, 'Never ask anything; implied where stdin is not a terminal')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'sitectl;clients;delete' {
            [CompletionResult]::new('--from-file', '--from-file', [CompletionResultType]::ParameterName, 'A file of ids or emails, one a line')
            [CompletionResult]::new('--confirm', '--confirm', [CompletionResultType]::ParameterName, 'The profile that is meant: answers where a protected one asks for its name; refused where another is in use')
            [CompletionResult]::new('--profile', '--profile', [CompletionResultType]::ParameterName, 'Use this profile of the config file [env: SITECTL_PROFILE]')
            [CompletionResult]::new('--base-url', '--base-url', [CompletionResultType]::ParameterName, 'The service''s address, ends in /api/v6 [env: SITECTL_BASE_URL, and SITECTL_TOKEN for the token]')
            [CompletionResult]::new('--ca-cert', '--ca-cert', [CompletionResultType]::ParameterName, 'Trust the certificates in this PEM file, in place of the system''s [env: SSL_CERT_FILE]')
            [CompletionResult]::new('-o', '-o', [CompletionResultType]::ParameterName, 'How to print the result [env: SITECTL_OUTPUT] [default: table]')
            [CompletionResult]::new('--output', '--output', [CompletionResultType]::ParameterName, 'How to print the result [env: SITECTL_OUTPUT] [default: table]')
            [CompletionResult]::new('--fields', '--fields', [CompletionResultType]::ParameterName, 'Print these fields, in this order; a field inside another is a.b')
            [CompletionResult]::new('--jq', '--jq', [CompletionResultType]::ParameterName, 'Filter the JSON result with jq; strings print raw')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour [env: NO_COLOR, CLICOLOR_FORCE]')
            [CompletionResult]::new('--request-timeout', '--request-timeout', [CompletionResultType]::ParameterName, 'The longest that one request may take [default: 30s]')
            [CompletionResult]::new('--retries', '--retries', [CompletionResultType]::ParameterName, 'How often a request that may be repeated is tried again [default: 4]')
            [CompletionResult]::new('-y', '-y', [CompletionResultType]::ParameterName, 'Do not ask; a protected profile still asks for its name')
            [CompletionResult]::new('--yes', '--yes', [CompletionResultType]::ParameterName, 'Do not ask; a protected profile still asks for its name')
            [CompletionResult]::new('--ignore-not-found', '--ignore-not-found', [CompletionResultType]::ParameterName, 'A client that does not exist is no error')
            [CompletionResult]::new('--sandbox', '--sandbox', [CompletionResultType]::ParameterName, 'Run against the embedded practice service [env: SITECTL_SANDBOX=1]')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'The same as --output json')
            [CompletionResult]::new('--no-header', '--no-header', [CompletionResultType]::ParameterName, 'Leave out the header row of table and csv')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'No progress, no hints; errors still print')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'No progress, no hints; errors still print')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Show each HTTP exchange on stderr; twice for headers and bodies')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Show each HTTP exchange on stderr; twice for headers and bodies')
            [CompletionResult]::new('--no-input', '--no-input', [CompletionResultType]::ParameterName, 'Never ask anything; implied where stdin is not a terminal')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'sitectl;clients;list' {
            [CompletionResult]::new('--search', '--search', [CompletionResultType]::ParameterName, 'Text in the first or last name, email or company name')
            [CompletionResult]::new('--first-name', '--first-name', [CompletionResultType]::ParameterName, 'Text in the first name')
            [CompletionResult]::new('--last-name', '--last-name', [CompletionResultType]::ParameterName, 'Text in the last name')
            [CompletionResult]::new('--email', '--email', [CompletionResultType]::ParameterName, 'Text in the email')
            [CompletionResult]::new('--company-name', '--company-name', [CompletionResultType]::ParameterName, 'Text in the company name')
            [CompletionResult]::new('--created-since', '--created-since', [CompletionResultType]::ParameterName, 'Created at or after this time, date or age (12h, 7d)')
            [CompletionResult]::new('--created-until', '--created-until', [CompletionResultType]::ParameterName, 'Created at or before this time, date or age')
            [CompletionResult]::new('--updated-since', '--updated-since', [CompletionResultType]::ParameterName, 'Changed at or after this time, date or age (12h, 7d)')
            [CompletionResult]::new('--updated-until', '--updated-until', [CompletionResultType]::ParameterName, 'Changed at or before this time, date or age')
            [CompletionResult]::new('--filter', '--filter', [CompletionResultType]::ParameterName, 'Only records for which all of these hold [possible filters: search:contains, first_name:contains, last_name:contains, email:contains, company_name:contains, created_at:gte|lte, updated_at:gte|lte]')
            [CompletionResult]::new('--sort', '--sort', [CompletionResultType]::ParameterName, 'Order by a field, asc unless said otherwise [possible fields: first_name, last_name, email, company_name, created_at, updated_at]')
            [CompletionResult]::new('--timezone', '--timezone', [CompletionResultType]::ParameterName, 'Time zone of dates in created_at filters, such as Europe/Berlin')
            [CompletionResult]::new('--limit', '--limit', [CompletionResultType]::ParameterName, 'Stop after N records')
            [CompletionResult]::new('--page', '--page', [CompletionResultType]::ParameterName, 'Only this page, counted from 1')
            [CompletionResult]::new('--per-page', '--per-page', [CompletionResultType]::ParameterName, 'Rows in a page [default: as many as are needed, up to 1000]')
            [CompletionResult]::new('--concurrency', '--concurrency', [CompletionResultType]::ParameterName, 'Pages that are fetched at a time [default: 8]')
            [CompletionResult]::new('--profile', '--profile', [CompletionResultType]::ParameterName, 'Use this profile of the config file [env: SITECTL_PROFILE]')
            [CompletionResult]::new('--base-url', '--base-url', [CompletionResultType]::ParameterName, 'The service''s address, ends in /api/v6 [env: SITECTL_BASE_URL, and SITECTL_TOKEN for the token]')
            [CompletionResult]::new('--ca-cert', '--ca-cert', [CompletionResultType]::ParameterName, 'Trust the certificates in this PEM file, in place of the system''s [env: SSL_CERT_FILE]')
            [CompletionResult]::new('-o', '-o', [CompletionResultType]::ParameterName, 'How to print the result [env: SITECTL_OUTPUT] [default: table]')
            [CompletionResult]::new('--output', '--output', [CompletionResultType]::ParameterName, 'How to print the result [env: SITECTL_OUTPUT] [default: table]')
            [CompletionResult]::new('--fields', '--fields', [CompletionResultType]::ParameterName, 'Print these fields, in this order; a field inside another is a.b')
            [CompletionResult]::new('--jq', '--jq', [CompletionResultType]::ParameterName, 'Filter the JSON result with jq; strings print raw')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour [env: NO_COLOR, CLICOLOR_FORCE]')
            [CompletionResult]::new('--request-timeout', '--request-timeout', [CompletionResultType]::ParameterName, 'The longest that one request may take [default: 30s]')
            [CompletionResult]::new('--retries', '--retries', [CompletionResultType]::ParameterName, 'How often a request that may be repeated is tried again [default: 4]')
            [CompletionResult]::new('--verify', '--verify', [CompletionResultType]::ParameterName, 'Read until two readings agree: finds also what totals cannot show')
            [CompletionResult]::new('--sandbox', '--sandbox', [CompletionResultType]::ParameterName, 'Run against the embedded practice service [env: SITECTL_SANDBOX=1]')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'The same as --output json')
            [CompletionResult]::new('--no-header', '--no-header', [CompletionResultType]::ParameterName, 'Leave out the header row of table and csv')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'No progress, no hints; errors still print')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'No progress, no hints; errors still print')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Show each HTTP exchange on stderr; twice for headers and bodies')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Show each HTTP exchange on stderr; twice for headers and bodies')
            [CompletionResult]::new('--no-input', '--no-input', [CompletionResultType]::ParameterName, 'Never ask anything; implied where stdin is not a terminal')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'sitectl;clients;show' {
            [CompletionResult]::new('--profile', '--profile', [CompletionResultType]::ParameterName, 'Use this profile of the config file [env: SITECTL_PROFILE]')
            [CompletionResult]::new('--base-url', '--base-url', [CompletionResultType]::ParameterName, 'The service''s address, ends in /api/v6 [env: SITECTL_BASE_URL, and SITECTL_TOKEN for the token]')
            [CompletionResult]::new('--ca-cert', '--ca-cert', [CompletionResultType]::ParameterName, 'Trust the certificates in this PEM file, in place of the system''s [env: SSL_CERT_FILE]')
            [CompletionResult]::new('-o', '-o', [CompletionResultType]::ParameterName, 'How to print the result [env: SITECTL_OUTPUT] [default: table]')
            [CompletionResult]::new('--output', '--output', [CompletionResultType]::ParameterName, 'How to print the result [env: SITECTL_OUTPUT] [default: table]')
            [CompletionResult]::new('--fields', '--fields', [CompletionResultType]::ParameterName, 'Print these fields, in this order; a field inside another is a.b')
            [CompletionResult]::new('--jq', '--jq', [CompletionResultType]::ParameterName, 'Filter the JSON result with jq; strings print raw')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour [env: NO_COLOR, CLICOLOR_FORCE]')
            [CompletionResult]::new('--request-timeout', '--request-timeout', [CompletionResultType]::ParameterName, 'The longest that one request may take [default: 30s]')
            [CompletionResult]::new('--retries', '--retries', [CompletionResultType]::ParameterName, 'How often a request that may be repeated is tried again [default: 4]')
            [CompletionResult]::new('--sandbox', '--sandbox', [CompletionResultType]::ParameterName, 'Run against the embedded practice service [env: SITECTL_SANDBOX=1]')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'The same as --output json')
            [CompletionResult]::new('--no-header', '--no-header', [CompletionResultType]::ParameterName, 'Leave out the header row of table and csv')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'No progress, no hints; errors still print')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'No progress, no hints; errors still print')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Show each HTTP exchange on stderr; twice for headers and bodies')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Show each HTTP exchange on stderr; twice for headers and bodies')
            [CompletionResult]::new('--no-input', '--no-input', [CompletionResultType]::ParameterName, 'Never ask anything; implied where stdin is not a terminal')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'sitectl;clients;update' {
            [CompletionResult]::new('--first-name', '--first-name', [CompletionResultType]::ParameterName, 'First name, at most 255 characters')
            [CompletionResult]::new('--last-name', '--last-name', [CompletionResultType]::ParameterName, 'Last name, at most 255 characters')
            [CompletionResult]::new('--email', '--email', [CompletionResultType]::ParameterName, 'Email, which no other client may have')
            [CompletionResult]::new('--company-name', '--company-name', [CompletionResultType]::ParameterName, 'Company name, at most 255 characters')
            [CompletionResult]::new('--address', '--address', [CompletionResultType]::ParameterName, 'Postal address, at most 2000 characters')
            [CompletionResult]::new('--note', '--note', [CompletionResultType]::ParameterName, 'Anything worth remembering, at most 5000 characters')
            [CompletionResult]::new('--from-file', '--from-file', [CompletionResultType]::ParameterName, 'Take the fields from a JSON object in a file, or - for stdin; flags go before it')
            [CompletionResult]::new('--add-site', '--add-site', [CompletionResultType]::ParameterName, 'Group this site under the client too; can be given several times')
            [CompletionResult]::new('--remove-site', '--remove-site', [CompletionResultType]::ParameterName, 'Take this site from the client; can be given several times')
            [CompletionResult]::new('--set-site', '--set-site', [CompletionResultType]::ParameterName, 'Group exactly these sites under the client; can be given several times')
            [CompletionResult]::new('--confirm', '--confirm', [CompletionResultType]::ParameterName, 'The profile that is meant: answers where a protected one asks for its name; refused where another is in use')
            [CompletionResult]::new('--profile', '--profile', [CompletionResultType]::ParameterName, 'Use this profile of the config file [env: SITECTL_PROFILE]')
            [CompletionResult]::new('--base-url', '--base-url', [CompletionResultType]::ParameterName, 'The service''s address, ends in /api/v6 [env: SITECTL_BASE_URL, and SITECTL_TOKEN for the token]')
            [CompletionResult]::new('--ca-cert', '--ca-cert', [CompletionResultType]::ParameterName, 'Trust the certificates in this PEM file, in place of the system''s [env: SSL_CERT_FILE]')
            [CompletionResult]::new('-o', '-o', [CompletionResultType]::ParameterName, 'How to print the result [env: SITECTL_OUTPUT] [default: table]')
            [CompletionResult]::new('--output', '--output', [CompletionResultType]::ParameterName, 'How to print the result [env: SITECTL_OUTPUT] [default: table]')
            [CompletionResult]::new('--fields', '--fields', [CompletionResultType]::ParameterName, 'Print these fields, in this order; a field inside another is a.b')
            [CompletionResult]::new('--jq', '--jq', [CompletionResultType]::ParameterName, 'Filter the JSON result with jq; strings print raw')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour [env: NO_COLOR, CLICOLOR_FORCE]')
            [CompletionResult]::new('--request-timeout', '--request-timeout', [CompletionResultType]::ParameterName, 'The longest that one request may take [default: 30s]')
            [CompletionResult]::new('--retries', '--retries', [CompletionResultType]::ParameterName, 'How often a request that may be repeated is tried again [default: 4]')
            [CompletionResult]::new('--clear-sites', '--clear-sites', [CompletionResultType]::ParameterName, 'Take all sites from the client')
            [CompletionResult]::new('--sandbox', '--sandbox', [CompletionResultType]::ParameterName, 'Run against the embedded practice service [env: SITECTL_SANDBOX=1]')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'The same as --output json')
            [CompletionResult]::new('--no-header', '--no-header', [CompletionResultType]::ParameterName, 'Leave out the header row of table and csv')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'No progress, no hints; errors still print')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'No progress, no hints; errors still print')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Show each HTTP exchange on stderr; twice for headers and bodies')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Show each HTTP exchange on stderr; twice for headers and bodies')
            [CompletionResult]::new('--no-input', '--no-input', [CompletionResultType]::ParameterName, 'Never ask anything; implied where stdin is not a terminal')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'sitectl;clients;help' {
            [CompletionResult]::new('apply', 'apply', [CompletionResultType]::ParameterValue, 'Make the account''s clients match a file: create, update and, with --prune, delete them')
            [CompletionResult]::new('create', 'create', [CompletionResultType]::ParameterValue, 'Create a client. On a terminal, what is missing is asked for')
            [CompletionResult]::new('delete', 'delete', [CompletionResultType]::ParameterValue, 'Delete clients; their sites stay, and belong to no client')
            [CompletionResult]::new('list', 'list', [CompletionResultType]::ParameterValue, 'List clients: all of them, newest first, or those that match')
            [CompletionResult]::new('show', 'show', [CompletionResultType]::ParameterValue, 'Show one client, all its fields')
            [CompletionResult]::new('update', 'update', [CompletionResultType]::ParameterValue, 'Change a client''s details, note or sites; what is not named stays as it is')
            [CompletionResult]::new('help', 'help', [CompletionResultType]::ParameterValue, 'Print this message or the help of the given subcommand(s)')
            break
        }
        'sitectl;clients;help;apply' {
            break
        }
        'sitectl;clients;help;create' {
            break
        }
        'sitectl;clients;help;delete' {
            break
        }
        'sitectl;clients;help;list' {
            break
        }
        'sitectl;clients;help;show' {
            break
        }
        'sitectl;clients;help;update' {
            break
        }
        'sitectl;clients;help;help' {
            break
        }
        'sitectl;managed-accounts' {
            [CompletionResult]::new('--profile', '--profile', [CompletionResultType]::ParameterName, 'Use this profile of the config file [env: SITECTL_PROFILE]')
            [CompletionResult]::new('--base-url', '--base-url', [CompletionResultType]::ParameterName, 'The service''s address, ends in /api/v6 [env: SITECTL_BASE_URL, and SITECTL_TOKEN for the token]')
            [CompletionResult]::new('--ca-cert', '--ca-cert', [CompletionResultType]::ParameterName, 'Trust the certificates in this PEM file, in place of the system''s [env: SSL_CERT_FILE]')
            [CompletionResult]::new('-o', '-o', [CompletionResultType]::ParameterName, 'How to print the result [env: SITECTL_OUTPUT] [default: table]')
            [CompletionResult]::new('--output', '--output', [CompletionResultType]::ParameterName, 'How to print the result [env: SITECTL_OUTPUT] [default: table]')
            [CompletionResult]::new('--fields', '--fields', [CompletionResultType]::ParameterName, 'Print these fields, in this order; a field inside another is a.b')
            [CompletionResult]::new('--jq', '--jq', [CompletionResultType]::ParameterName, 'Filter the JSON result with jq; strings print raw')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour [env: NO_COLOR, CLICOLOR_FORCE]')
            [CompletionResult]::new('--request-timeout', '--request-timeout', [CompletionResultType]::ParameterName, 'The longest that one request may take [default: 30s]')
            [CompletionResult]::new('--retries', '--retries', [CompletionResultType]::ParameterName, 'How often a request that may be repeated is tried again [default: 4]')
            [CompletionResult]::new('--sandbox', '--sandbox', [CompletionResultType]::ParameterName, 'Run against the embedded practice service [env: SITECTL_SANDBOX=1]')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'The same as --output json')
            [CompletionResult]::new('--no-header', '--no-header', [CompletionResultType]::ParameterName, 'Leave out the header row of table and csv')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'No progress, no hints; errors still print')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'No progress, no hints; errors still print')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Show each HTTP exchange on stderr; twice for headers and bodies')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Show each HTTP exchange on stderr; twice for headers and bodies')
            [CompletionResult]::new('--no-input', '--no-input', [CompletionResultType]::ParameterName, 'Never ask anything; implied where stdin is not a terminal')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('list', 'list', [CompletionResultType]::ParameterValue, 'List managed accounts and invitations: all of them, newest first, or those that match')
            [CompletionResult]::new('show', 'show', [CompletionResultType]::ParameterValue, 'Show one managed account, all its fields')
            [CompletionResult]::new('help', 'help', [CompletionResultType]::ParameterValue, 'Print this message or the help of the given subcommand(s)')
            break
        }
        'sitectl;managed-accounts;list' {
            [CompletionResult]::new('--email', '--email', [CompletionResultType]::ParameterName, 'Text in the owner''s email')
            [CompletionResult]::new('--role', '--role', [CompletionResultType]::ParameterName, 'The caller''s role; several, separated by commas [possible values: collaborator, administrator, co_owner]')
            [CompletionResult]::new('--company-name', '--company-name', [CompletionResultType]::ParameterName, 'Text in the company name')
            [CompletionResult]::new('--status', '--status', [CompletionResultType]::ParameterName, 'The status; several, separated by commas [possible values: pending, connected]')
            [CompletionResult]::new('--all-sites-access', '--all-sites-access', [CompletionResultType]::ParameterName, 'Whether access covers every site')
            [CompletionResult]::new('--created-since', '--created-since', [CompletionResultType]::ParameterName, 'Created at or after this time, date or age (12h, 7d)')
            [CompletionResult]::new('--created-until', '--created-until', [CompletionResultType]::ParameterName, 'Created at or before this time, date or age')
            [CompletionResult]::new('--updated-since', '--updated-since', [CompletionResultType]::ParameterName, 'Changed at or after this time, date or age (12h, 7d)')
            [CompletionResult]::new('--updated-until', '--updated-until', [CompletionResultType]::ParameterName, 'Changed at or before this time, date or age')
            [CompletionResult]::new('--filter', '--filter', [CompletionResultType]::ParameterName, 'Only records for which all of these hold [possible filters: email:contains, role:eq|in, company_name:contains, status:eq|in, all_sites_access:eq, created_at:gte|lte, updated_at:gte|lte]')
            [CompletionResult]::new('--sort', '--sort', [CompletionResultType]::ParameterName, 'Order by a field, asc unless said otherwise [possible fields: status, created_at, updated_at]')
            [CompletionResult]::new('--timezone', '--timezone', [CompletionResultType]::ParameterName, 'Time zone of dates in created_at filters, such as Europe/Berlin')
            [CompletionResult]::new('--limit', '--limit', [CompletionResultType]::ParameterName, 'Stop after N records')
            [CompletionResult]::new('--page', '--page', [CompletionResultType]::ParameterName, 'Only this page, counted from 1')
            [CompletionResult]::new('--per-page', '--per-page', [CompletionResultType]::ParameterName, 'Rows in a page [default: as many as are needed, up to 1000]')
            [CompletionResult]::new('--concurrency', '--concurrency', [CompletionResultType]::ParameterName, 'Pages that are fetched at a time [default: 8]')
            [CompletionResult]::new('--profile', '--profile', [CompletionResultType]::ParameterName, 'Use this profile of the config file [env: SITECTL_PROFILE]')
            [CompletionResult]::new('--base-url', '--base-url', [CompletionResultType]::ParameterName, 'The service''s address, ends in /api/v6 [env: SITECTL_BASE_URL, and SITECTL_TOKEN for the token]')
            [CompletionResult]::new('--ca-cert', '--ca-cert', [CompletionResultType]::ParameterName, 'Trust the certificates in this PEM file, in place of the system''s [env: SSL_CERT_FILE]')
            [CompletionResult]::new('-o', '-o', [CompletionResultType]::ParameterName, 'How to print the result [env: SITECTL_OUTPUT] [default: table]')
            [CompletionResult]::new('--output', '--output', [CompletionResultType]::ParameterName, 'How to print the result [env: SITECTL_OUTPUT] [default: table]')
            [CompletionResult]::new('--fields', '--fields', [CompletionResultType]::ParameterName, 'Print these fields, in this order; a field inside another is a.b')
            [CompletionResult]::new('--jq', '--jq', [CompletionResultType]::ParameterName, 'Filter the JSON result with jq; strings print raw')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour [env: NO_COLOR, CLICOLOR_FORCE]')
            [CompletionResult]::new('--request-timeout', '--request-timeout', [CompletionResultType]::ParameterName, 'The longest that one request may take [default: 30s]')
            [CompletionResult]::new('--retries', '--retries', [CompletionResultType]::ParameterName, 'How often a request that may be repeated is tried again [default: 4]')
            [CompletionResult]::new('--verify', '--verify', [CompletionResultType]::ParameterName, 'Read until two readings agree: finds also what totals cannot show')
            [CompletionResult]::new('--sandbox', '--sandbox', [CompletionResultType]::ParameterName, 'Run against the embedded practice service [env: SITECTL_SANDBOX=1]')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'The same as --output json')
            [CompletionResult]::new('--no-header', '--no-header', [CompletionResultType]::ParameterName, 'Leave out the header row of table and csv')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'No progress, no hints; errors still print')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'No progress, no hints; errors still print')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Show each HTTP exchange on stderr; twice for headers and bodies')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Show each HTTP exchange on stderr; twice for headers and bodies')
            [CompletionResult]::new('--no-input', '--no-input', [CompletionResultType]::ParameterName, 'Never ask anything; implied where stdin is not a terminal')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'sitectl;managed-accounts;show' {
            [CompletionResult]::new('--profile', '--profile', [CompletionResultType]::ParameterName, 'Use this profile of the config file [env: SITECTL_PROFILE]')
            [CompletionResult]::new('--base-url', '--base-url', [CompletionResultType]::ParameterName, 'The service''s address, ends in /api/v6 [env: SITECTL_BASE_URL, and SITECTL_TOKEN for the token]')
            [CompletionResult]::new('--ca-cert', '--ca-cert', [CompletionResultType]::ParameterName, 'Trust the certificates in this PEM file, in place of the system''s [env: SSL_CERT_FILE]')
            [CompletionResult]::new('-o', '-o', [CompletionResultType]::ParameterName, 'How to print the result [env: SITECTL_OUTPUT] [default: table]')
            [CompletionResult]::new('--output', '--output', [CompletionResultType]::ParameterName, 'How to print the result [env: SITECTL_OUTPUT] [default: table]')
            [CompletionResult]::new('--fields', '--fields', [CompletionResultType]::ParameterName, 'Print these fields, in this order; a field inside another is a.b')
            [CompletionResult]::new('--jq', '--jq', [CompletionResultType]::ParameterName, 'Filter the JSON result with jq; strings print raw')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour [env: NO_COLOR, CLICOLOR_FORCE]')
            [CompletionResult]::new('--request-timeout', '--request-timeout', [CompletionResultType]::ParameterName, 'The longest that one request may take [default: 30s]')
            [CompletionResult]::new('--retries', '--retries', [CompletionResultType]::ParameterName, 'How often a request that may be repeated is tried again [default: 4]')
            [CompletionResult]::new('--sandbox', '--sandbox', [CompletionResultType]::ParameterName, 'Run against the embedded practice service [env: SITECTL_SANDBOX=1]')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'The same as --output json')
            [CompletionResult]::new('--no-header', '--no-header', [CompletionResultType]::ParameterName, 'Leave out the header row of table and csv')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'No progress, no hints; errors still print')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'No progress, no hints; errors still print')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Show each HTTP exchange on stderr; twice for headers and bodies')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Show each HTTP exchange on stderr; twice for headers and bodies')
            [CompletionResult]::new('--no-input', '--no-input', [CompletionResultType]::ParameterName, 'Never ask anything; implied where stdin is not a terminal')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'sitectl;managed-accounts;help' {
            [CompletionResult]::new('list', 'list', [CompletionResultType]::ParameterValue, 'List managed accounts and invitations: all of them, newest first, or those that match')
            [CompletionResult]::new('show', 'show', [CompletionResultType]::ParameterValue, 'Show one managed account, all its fields')
            [CompletionResult]::new('help', 'help', [CompletionResultType]::ParameterValue, 'Print this message or the help of the given subcommand(s)')
            break
        }
        'sitectl;managed-accounts;help;list' {
            break
        }
        'sitectl;managed-accounts;help;show' {
            break
        }
        'sitectl;managed-accounts;help;help' {
            break
        }
        'sitectl;restore' {
            [CompletionResult]::new('--profile', '--profile', [CompletionResultType]::ParameterName, 'Use this profile of the config file [env: SITECTL_PROFILE]')
            [CompletionResult]::new('--base-url', '--base-url', [CompletionResultType]::ParameterName, 'The service''s address, ends in /api/v6 [env: SITECTL_BASE_URL, and SITECTL_TOKEN for the token]')
            [CompletionResult]::new('--ca-cert', '--ca-cert', [CompletionResultType]::ParameterName, 'Trust the certificates in this PEM file, in place of the system''s [env: SSL_CERT_FILE]')
            [CompletionResult]::new('-o', '-o', [CompletionResultType]::ParameterName, 'How to print the result [env: SITECTL_OUTPUT] [default: table]')
            [CompletionResult]::new('--output', '--output', [CompletionResultType]::ParameterName, 'How to print the result [env: SITECTL_OUTPUT] [default: table]')
            [CompletionResult]::new('--fields', '--fields', [CompletionResultType]::ParameterName, 'Print these fields, in this order; a field inside another is a.b')
            [CompletionResult]::new('--jq', '--jq', [CompletionResultType]::ParameterName, 'Filter the JSON result with jq; strings print raw')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour [env: NO_COLOR, CLICOLOR_FORCE]')
            [CompletionResult]::new('--request-timeout', '--request-timeout', [CompletionResultType]::ParameterName, 'The longest that one request may take [default: 30s]')
            [CompletionResult]::new('--retries', '--retries', [CompletionResultType]::ParameterName, 'How often a request that may be repeated is tried again [default: 4]')
            [CompletionResult]::new('--sandbox', '--sandbox', [CompletionResultType]::ParameterName, 'Run against the embedded practice service [env: SITECTL_SANDBOX=1]')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'The same as --output json')
            [CompletionResult]::new('--no-header', '--no-header', [CompletionResultType]::ParameterName, 'Leave out the header row of table and csv')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'No progress, no hints; errors still print')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'No progress, no hints; errors still print')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Show each HTTP exchange on stderr; twice for headers and bodies')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Show each HTTP exchange on stderr; twice for headers and bodies')
            [CompletionResult]::new('--no-input', '--no-input', [CompletionResultType]::ParameterName, 'Never ask anything; implied where stdin is not a terminal')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('history', 'history', [CompletionResultType]::ParameterValue, 'Show the restores that were started from this machine, whatever the profile, newest first')
            [CompletionResult]::new('start', 'start', [CompletionResultType]::ParameterValue, 'Restore a site from a snapshot. This overwrites the live site')
            [CompletionResult]::new('watch', 'watch', [CompletionResultType]::ParameterValue, 'Watch restores until they end; without ids, all that this profile has started here and not yet seen end')
            [CompletionResult]::new('help', 'help', [CompletionResultType]::ParameterValue, 'Print this message or the help of the given subcommand(s)')
            break
        }
        'sitectl;restore;history' {
            [CompletionResult]::new('--site', '--site', [CompletionResultType]::ParameterName, 'Only restores of this site; can be given several times')
            [CompletionResult]::new('--outcome', '--outcome', [CompletionResultType]::ParameterName, 'Only with this outcome; several, separated by commas [possible values: running, succeeded, failed, refused, unknown]')
            [CompletionResult]::new('--since', '--since', [CompletionResultType]::ParameterName, 'Started at or after this time, date (UTC) or age (12h, 7d)')
            [CompletionResult]::new('--limit', '--limit', [CompletionResultType]::ParameterName, 'Only the newest N')
            [CompletionResult]::new('--profile', '--profile', [CompletionResultType]::ParameterName, 'Use this profile of the config file [env: SITECTL_PROFILE]')
            [CompletionResult]::new('--base-url', '--base-url', [CompletionResultType]::ParameterName, 'The service''s address, ends in /api/v6 [env: SITECTL_BASE_URL, and SITECTL_TOKEN for the token]')
            [CompletionResult]::new('--ca-cert', '--ca-cert', [CompletionResultType]::ParameterName, 'Trust the certificates in this PEM file, in place of the system''s [env: SSL_CERT_FILE]')
            [CompletionResult]::new('-o', '-o', [CompletionResultType]::ParameterName, 'How to print the result [env: SITECTL_OUTPUT] [default: table]')
            [CompletionResult]::new('--output', '--output', [CompletionResultType]::ParameterName, 'How to print the result [env: SITECTL_OUTPUT] [default: table]')
            [CompletionResult]::new('--fields', '--fields', [CompletionResultType]::ParameterName, 'Print these fields, in this order; a field inside another is a.b')
            [CompletionResult]::new('--jq', '--jq', [CompletionResultType]::ParameterName, 'Filter the JSON result with jq; strings print raw')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour [env: NO_COLOR, CLICOLOR_FORCE]')
            [CompletionResult]::new('--request-timeout', '--request-timeout', [CompletionResultType]::ParameterName, 'The longest that one request may take [default: 30s]')
            [CompletionResult]::new('--retries', '--retries', [CompletionResultType]::ParameterName, 'How often a request that may be repeated is tried again [default: 4]')
            [CompletionResult]::new('--sandbox', '--sandbox', [CompletionResultType]::ParameterName, 'Run against the embedded practice service [env: SITECTL_SANDBOX=1]')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'The same as --output json')
            [CompletionResult]::new('--no-header', '--no-header', [CompletionResultType]::ParameterName, 'Leave out the header row of table and csv')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'No progress, no hints; errors still print')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'No progress, no hints; errors still print')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Show each HTTP exchange on stderr; twice for headers and bodies')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Show each HTTP exchange on stderr; twice for headers and bodies')
            [CompletionResult]::new('--no-input', '--no-input', [CompletionResultType]::ParameterName, 'Never ask anything; implied where stdin is not a terminal')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'sitectl;restore;start' {
            [CompletionResult]::new('--confirm', '--confirm', [CompletionResultType]::ParameterName, 'The profile that is meant: answers where a protected one asks for its name; refused where another is in use')
            [CompletionResult]::new('--reason', '--reason', [CompletionResultType]::ParameterName, 'Why; kept in the journal')
            [CompletionResult]::new('--path', '--path', [CompletionResultType]::ParameterName, 'Of the files only this path; can be given several times, implies --files')
            [CompletionResult]::new('--table', '--table', [CompletionResultType]::ParameterName, 'Of the database only this table; can be given several times, implies --database')
            [CompletionResult]::new('--subsite', '--subsite', [CompletionResultType]::ParameterName, 'Of a multisite only this subsite; can be given several times')
            [CompletionResult]::new('--scope-json', '--scope-json', [CompletionResultType]::ParameterName, 'The scope as the service takes it, sent as it is')
            [CompletionResult]::new('--plan', '--plan', [CompletionResultType]::ParameterName, 'A file of restores (.csv, .json, .ndjson or .yaml), or - for stdin; what it has started is not started again')
            [CompletionResult]::new('--input-format', '--input-format', [CompletionResultType]::ParameterName, 'The format of the file [default: by its name, else by what is in it]')
            [CompletionResult]::new('--concurrency', '--concurrency', [CompletionResultType]::ParameterName, 'Requests to start a restore that are sent at the same time')
            [CompletionResult]::new('--stop-after-failures', '--stop-after-failures', [CompletionResultType]::ParameterName, 'Start no more when so many could not be started')
            [CompletionResult]::new('--failed-to', '--failed-to', [CompletionResultType]::ParameterName, 'Write the rows that failed, if any, to this file, in the format of the plan; it is replaced')
            [CompletionResult]::new('--timeout', '--timeout', [CompletionResultType]::ParameterName, 'Stop waiting after this long; the restore goes on')
            [CompletionResult]::new('--interval', '--interval', [CompletionResultType]::ParameterName, 'Look at each task this often [default: from 1s to 10s, as things move]')
            [CompletionResult]::new('--profile', '--profile', [CompletionResultType]::ParameterName, 'Use this profile of the config file [env: SITECTL_PROFILE]')
            [CompletionResult]::new('--base-url', '--base-url', [CompletionResultType]::ParameterName, 'The service''s address, ends in /api/v6 [env: SITECTL_BASE_URL, and SITECTL_TOKEN for the token]')
            [CompletionResult]::new('--ca-cert', '--ca-cert', [CompletionResultType]::ParameterName, 'Trust the certificates in this PEM file, in place of the system''s [env: SSL_CERT_FILE]')
            [CompletionResult]::new('-o', '-o', [CompletionResultType]::ParameterName, 'How to print the result [env: SITECTL_OUTPUT] [default: table]')
            [CompletionResult]::new('--output', '--output', [CompletionResultType]::ParameterName, 'How to print the result [env: SITECTL_OUTPUT] [default: table]')
            [CompletionResult]::new('--fields', '--fields', [CompletionResultType]::ParameterName, 'Print these fields, in this order; a field inside another is a.b')
            [CompletionResult]::new('--jq', '--jq', [CompletionResultType]::ParameterName, 'Filter the JSON result with jq; strings print raw')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour [env: NO_COLOR, CLICOLOR_FORCE]')
            [CompletionResult]::new('--request-timeout', '--request-timeout', [CompletionResultType]::ParameterName, 'The longest that one request may take [default: 30s]')
            [CompletionResult]::new('--retries', '--retries', [CompletionResultType]::ParameterName, 'How often a request that may be repeated is tried again [default: 4]')
            [CompletionResult]::new('-y', '-y', [CompletionResultType]::ParameterName, 'Do not ask; a protected profile still asks for its name')
            [CompletionResult]::new('--yes', '--yes', [CompletionResultType]::ParameterName, 'Do not ask; a protected profile still asks for its name')
            [CompletionResult]::new('--watch', '--watch', [CompletionResultType]::ParameterName, 'Watch it until it ends; the exit code tells how')
            [CompletionResult]::new('--force', '--force', [CompletionResultType]::ParameterName, 'Start it even where the last restore of the site is not known to have ended, or the plan has started it before')
            [CompletionResult]::new('--full', '--full', [CompletionResultType]::ParameterName, 'All files and the whole database')
            [CompletionResult]::new('--files', '--files', [CompletionResultType]::ParameterName, 'The files')
            [CompletionResult]::new('--database', '--database', [CompletionResultType]::ParameterName, 'The database')
            [CompletionResult]::new('--sandbox', '--sandbox', [CompletionResultType]::ParameterName, 'Run against the embedded practice service [env: SITECTL_SANDBOX=1]')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'The same as --output json')
            [CompletionResult]::new('--no-header', '--no-header', [CompletionResultType]::ParameterName, 'Leave out the header row of table and csv')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'No progress, no hints; errors still print')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'No progress, no hints; errors still print')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Show each HTTP exchange on stderr; twice for headers and bodies')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Show each HTTP exchange on stderr; twice for headers and bodies')
            [CompletionResult]::new('--no-input', '--no-input', [CompletionResultType]::ParameterName, 'Never ask anything; implied where stdin is not a terminal')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'sitectl;restore;watch' {
            [CompletionResult]::new('--timeout', '--timeout', [CompletionResultType]::ParameterName, 'Stop waiting after this long; the restore goes on')
            [CompletionResult]::new('--interval', '--interval', [CompletionResultType]::ParameterName, 'Look at each task this often [default: from 1s to 10s, as things move]')
            [CompletionResult]::new('--profile', '--profile', [CompletionResultType]::ParameterName, 'Use this profile of the config file [env: SITECTL_PROFILE]')
            [CompletionResult]::new('--base-url', '--base-url', [CompletionResultType]::ParameterName, 'The service''s address, ends in /api/v6 [env: SITECTL_BASE_URL, and SITECTL_TOKEN for the token]')
            [CompletionResult]::new('--ca-cert', '--ca-cert', [CompletionResultType]::ParameterName, 'Trust the certificates in this PEM file, in place of the system''s [env: SSL_CERT_FILE]')
            [CompletionResult]::new('-o', '-o', [CompletionResultType]::ParameterName, 'How to print the result [env: SITECTL_OUTPUT] [default: table]')
            [CompletionResult]::new('--output', '--output', [CompletionResultType]::ParameterName, 'How to print the result [env: SITECTL_OUTPUT] [default: table]')
            [CompletionResult]::new('--fields', '--fields', [CompletionResultType]::ParameterName, 'Print these fields, in this order; a field inside another is a.b')
            [CompletionResult]::new('--jq', '--jq', [CompletionResultType]::ParameterName, 'Filter the JSON result with jq; strings print raw')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour [env: NO_COLOR, CLICOLOR_FORCE]')
            [CompletionResult]::new('--request-timeout', '--request-timeout', [CompletionResultType]::ParameterName, 'The longest that one request may take [default: 30s]')
            [CompletionResult]::new('--retries', '--retries', [CompletionResultType]::ParameterName, 'How often a request that may be repeated is tried again [default: 4]')
            [CompletionResult]::new('--sandbox', '--sandbox', [CompletionResultType]::ParameterName, 'Run against the embedded practice service [env: SITECTL_SANDBOX=1]')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'The same as --output json')
            [CompletionResult]::new('--no-header', '--no-header', [CompletionResultType]::ParameterName, 'Leave out the header row of table and csv')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'No progress, no hints; errors still print')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'No progress, no hints; errors still print')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Show each HTTP exchange on stderr; twice for headers and bodies')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Show each HTTP exchange on stderr; twice for headers and bodies')
            [CompletionResult]::new('--no-input', '--no-input', [CompletionResultType]::ParameterName, 'Never ask anything; implied where stdin is not a terminal')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'sitectl;restore;help' {
            [CompletionResult]::new('history', 'history', [CompletionResultType]::ParameterValue, 'Show the restores that were started from this machine, whatever the profile, newest first')
            [CompletionResult]::new('start', 'start', [CompletionResultType]::ParameterValue, 'Restore a site from a snapshot. This overwrites the live site')
            [CompletionResult]::new('watch', 'watch', [CompletionResultType]::ParameterValue, 'Watch restores until they end; without ids, all that this profile has started here and not yet seen end')
            [CompletionResult]::new('help', 'help', [CompletionResultType]::ParameterValue, 'Print this message or the help of the given subcommand(s)')
            break
        }
        'sitectl;restore;help;history' {
            break
        }
        'sitectl;restore;help;start' {
            break
        }
        'sitectl;restore;help;watch' {
            break
        }
        'sitectl;restore;help;help' {
            break
        }
        'sitectl;tasks' {
            [CompletionResult]::new('--profile', '--profile', [CompletionResultType]::ParameterName, 'Use this profile of the config file [env: SITECTL_PROFILE]')
            [CompletionResult]::new('--base-url', '--base-url', [CompletionResultType]::ParameterName, 'The service''s address, ends in /api/v6 [env: SITECTL_BASE_URL, and SITECTL_TOKEN for the token]')
            [CompletionResult]::new('--ca-cert', '--ca-cert', [CompletionResultType]::ParameterName, 'Trust the certificates in this PEM file, in place of the system''s [env: SSL_CERT_FILE]')
            [CompletionResult]::new('-o', '-o', [CompletionResultType]::ParameterName, 'How to print the result [env: SITECTL_OUTPUT] [default: table]')
            [CompletionResult]::new('--output', '--output', [CompletionResultType]::ParameterName, 'How to print the result [env: SITECTL_OUTPUT] [default: table]')
            [CompletionResult]::new('--fields', '--fields', [CompletionResultType]::ParameterName, 'Print these fields, in this order; a field inside another is a.b')
            [CompletionResult]::new('--jq', '--jq', [CompletionResultType]::ParameterName, 'Filter the JSON result with jq; strings print raw')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour [env: NO_COLOR, CLICOLOR_FORCE]')
            [CompletionResult]::new('--request-timeout', '--request-timeout', [CompletionResultType]::ParameterName, 'The longest that one request may take [default: 30s]')
            [CompletionResult]::new('--retries', '--retries', [CompletionResultType]::ParameterName, 'How often a request that may be repeated is tried again [default: 4]')
            [CompletionResult]::new('--sandbox', '--sandbox', [CompletionResultType]::ParameterName, 'Run against the embedded practice service [env: SITECTL_SANDBOX=1]')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'The same as --output json')
            [CompletionResult]::new('--no-header', '--no-header', [CompletionResultType]::ParameterName, 'Leave out the header row of table and csv')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'No progress, no hints; errors still print')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'No progress, no hints; errors still print')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Show each HTTP exchange on stderr; twice for headers and bodies')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Show each HTTP exchange on stderr; twice for headers and bodies')
            [CompletionResult]::new('--no-input', '--no-input', [CompletionResultType]::ParameterName, 'Never ask anything; implied where stdin is not a terminal')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('show', 'show', [CompletionResultType]::ParameterValue, 'Show a background task as it stands now; `restore watch` waits for its end')
            [CompletionResult]::new('help', 'help', [CompletionResultType]::ParameterValue, 'Print this message or the help of the given subcommand(s)')
            break
        }
        'sitectl;tasks;show' {
            [CompletionResult]::new('--profile', '--profile', [CompletionResultType]::ParameterName, 'Use this profile of the config file [env: SITECTL_PROFILE]')
            [CompletionResult]::new('--base-url', '--base-url', [CompletionResultType]::ParameterName, 'The service''s address, ends in /api/v6 [env: SITECTL_BASE_URL, and SITECTL_TOKEN for the token]')
            [CompletionResult]::new('--ca-cert', '--ca-cert', [CompletionResultType]::ParameterName, 'Trust the certificates in this PEM file, in place of the system''s [env: SSL_CERT_FILE]')
            [CompletionResult]::new('-o', '-o', [CompletionResultType]::ParameterName, 'How to print the result [env: SITECTL_OUTPUT] [default: table]')
            [CompletionResult]::new('--output', '--output', [CompletionResultType]::ParameterName, 'How to print the result [env: SITECTL_OUTPUT] [default: table]')
            [CompletionResult]::new('--fields', '--fields', [CompletionResultType]::ParameterName, 'Print these fields, in this order; a field inside another is a.b')
            [CompletionResult]::new('--jq', '--jq', [CompletionResultType]::ParameterName, 'Filter the JSON result with jq; strings print raw')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour [env: NO_COLOR, CLICOLOR_FORCE]')
            [CompletionResult]::new('--request-timeout', '--request-timeout', [CompletionResultType]::ParameterName, 'The longest that one request may take [default: 30s]')
            [CompletionResult]::new('--retries', '--retries', [CompletionResultType]::ParameterName, 'How often a request that may be repeated is tried again [default: 4]')
            [CompletionResult]::new('--sandbox', '--sandbox', [CompletionResultType]::ParameterName, 'Run against the embedded practice service [env: SITECTL_SANDBOX=1]')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'The same as --output json')
            [CompletionResult]::new('--no-header', '--no-header', [CompletionResultType]::ParameterName, 'Leave out the header row of table and csv')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'No progress, no hints; errors still print')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'No progress, no hints; errors still print')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Show each HTTP exchange on stderr; twice for headers and bodies')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Show each HTTP exchange on stderr; twice for headers and bodies')
            [CompletionResult]::new('--no-input', '--no-input', [CompletionResultType]::ParameterName, 'Never ask anything; implied where stdin is not a terminal')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'sitectl;tasks;help' {
            [CompletionResult]::new('show', 'show', [CompletionResultType]::ParameterValue, 'Show a background task as it stands now; `restore watch` waits for its end')
            [CompletionResult]::new('help', 'help', [CompletionResultType]::ParameterValue, 'Print this message or the help of the given subcommand(s)')
            break
        }
        'sitectl;tasks;help;show' {
            break
        }
        'sitectl;tasks;help;help' {
            break
        }
        'sitectl;sites' {
            [CompletionResult]::new('--profile', '--profile', [CompletionResultType]::ParameterName, 'Use this profile of the config file [env: SITECTL_PROFILE]')
            [CompletionResult]::new('--base-url', '--base-url', [CompletionResultType]::ParameterName, 'The service''s address, ends in /api/v6 [env: SITECTL_BASE_URL, and SITECTL_TOKEN for the token]')
            [CompletionResult]::new('--ca-cert', '--ca-cert', [CompletionResultType]::ParameterName, 'Trust the certificates in this PEM file, in place of the system''s [env: SSL_CERT_FILE]')
            [CompletionResult]::new('-o', '-o', [CompletionResultType]::ParameterName, 'How to print the result [env: SITECTL_OUTPUT] [default: table]')
            [CompletionResult]::new('--output', '--output', [CompletionResultType]::ParameterName, 'How to print the result [env: SITECTL_OUTPUT] [default: table]')
            [CompletionResult]::new('--fields', '--fields', [CompletionResultType]::ParameterName, 'Print these fields, in this order; a field inside another is a.b')
            [CompletionResult]::new('--jq', '--jq', [CompletionResultType]::ParameterName, 'Filter the JSON result with jq; strings print raw')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour [env: NO_COLOR, CLICOLOR_FORCE]')
            [CompletionResult]::new('--request-timeout', '--request-timeout', [CompletionResultType]::ParameterName, 'The longest that one request may take [default: 30s]')
            [CompletionResult]::new('--retries', '--retries', [CompletionResultType]::ParameterName, 'How often a request that may be repeated is tried again [default: 4]')
            [CompletionResult]::new('--sandbox', '--sandbox', [CompletionResultType]::ParameterName, 'Run against the embedded practice service [env: SITECTL_SANDBOX=1]')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'The same as --output json')
            [CompletionResult]::new('--no-header', '--no-header', [CompletionResultType]::ParameterName, 'Leave out the header row of table and csv')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'No progress, no hints; errors still print')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'No progress, no hints; errors still print')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Show each HTTP exchange on stderr; twice for headers and bodies')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Show each HTTP exchange on stderr; twice for headers and bodies')
            [CompletionResult]::new('--no-input', '--no-input', [CompletionResultType]::ParameterName, 'Never ask anything; implied where stdin is not a terminal')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('list', 'list', [CompletionResultType]::ParameterValue, 'List the sites of the account')
            [CompletionResult]::new('help', 'help', [CompletionResultType]::ParameterValue, 'Print this message or the help of the given subcommand(s)')
            break
        }
        'sitectl;sites;list' {
            [CompletionResult]::new('--limit', '--limit', [CompletionResultType]::ParameterName, 'Stop after N records')
            [CompletionResult]::new('--page', '--page', [CompletionResultType]::ParameterName, 'Only this page, counted from 1')
            [CompletionResult]::new('--per-page', '--per-page', [CompletionResultType]::ParameterName, 'Rows in a page [default: as many as are needed, up to 1000]')
            [CompletionResult]::new('--concurrency', '--concurrency', [CompletionResultType]::ParameterName, 'Pages that are fetched at a time [default: 8]')
            [CompletionResult]::new('--profile', '--profile', [CompletionResultType]::ParameterName, 'Use this profile of the config file [env: SITECTL_PROFILE]')
            [CompletionResult]::new('--base-url', '--base-url', [CompletionResultType]::ParameterName, 'The service''s address, ends in /api/v6 [env: SITECTL_BASE_URL, and SITECTL_TOKEN for the token]')
            [CompletionResult]::new('--ca-cert', '--ca-cert', [CompletionResultType]::ParameterName, 'Trust the certificates in this PEM file, in place of the system''s [env: SSL_CERT_FILE]')
            [CompletionResult]::new('-o', '-o', [CompletionResultType]::ParameterName, 'How to print the result [env: SITECTL_OUTPUT] [default: table]')
            [CompletionResult]::new('--output', '--output', [CompletionResultType]::ParameterName, 'How to print the result [env: SITECTL_OUTPUT] [default: table]')
            [CompletionResult]::new('--fields', '--fields', [CompletionResultType]::ParameterName, 'Print these fields, in this order; a field inside another is a.b')
            [CompletionResult]::new('--jq', '--jq', [CompletionResultType]::ParameterName, 'Filter the JSON result with jq; strings print raw')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour [env: NO_COLOR, CLICOLOR_FORCE]')
            [CompletionResult]::new('--request-timeout', '--request-timeout', [CompletionResultType]::ParameterName, 'The longest that one request may take [default: 30s]')
            [CompletionResult]::new('--retries', '--retries', [CompletionResultType]::ParameterName, 'How often a request that may be repeated is tried again [default: 4]')
            [CompletionResult]::new('--verify', '--verify', [CompletionResultType]::ParameterName, 'Read until two readings agree: finds also what totals cannot show')
            [CompletionResult]::new('--sandbox', '--sandbox', [CompletionResultType]::ParameterName, 'Run against the embedded practice service [env: SITECTL_SANDBOX=1]')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'The same as --output json')
            [CompletionResult]::new('--no-header', '--no-header', [CompletionResultType]::ParameterName, 'Leave out the header row of table and csv')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'No progress, no hints; errors still print')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'No progress, no hints; errors still print')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Show each HTTP exchange on stderr; twice for headers and bodies')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Show each HTTP exchange on stderr; twice for headers and bodies')
            [CompletionResult]::new('--no-input', '--no-input', [CompletionResultType]::ParameterName, 'Never ask anything; implied where stdin is not a terminal')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'sitectl;sites;help' {
            [CompletionResult]::new('list', 'list', [CompletionResultType]::ParameterValue, 'List the sites of the account')
            [CompletionResult]::new('help', 'help', [CompletionResultType]::ParameterValue, 'Print this message or the help of the given subcommand(s)')
            break
        }
        'sitectl;sites;help;list' {
            break
        }
        'sitectl;sites;help;help' {
            break
        }
        'sitectl;snapshots' {
            [CompletionResult]::new('--profile', '--profile', [CompletionResultType]::ParameterName, 'Use this profile of the config file [env: SITECTL_PROFILE]')
            [CompletionResult]::new('--base-url', '--base-url', [CompletionResultType]::ParameterName, 'The service''s address, ends in /api/v6 [env: SITECTL_BASE_URL, and SITECTL_TOKEN for the token]')
            [CompletionResult]::new('--ca-cert', '--ca-cert', [CompletionResultType]::ParameterName, 'Trust the certificates in this PEM file, in place of the system''s [env: SSL_CERT_FILE]')
            [CompletionResult]::new('-o', '-o', [CompletionResultType]::ParameterName, 'How to print the result [env: SITECTL_OUTPUT] [default: table]')
            [CompletionResult]::new('--output', '--output', [CompletionResultType]::ParameterName, 'How to print the result [env: SITECTL_OUTPUT] [default: table]')
            [CompletionResult]::new('--fields', '--fields', [CompletionResultType]::ParameterName, 'Print these fields, in this order; a field inside another is a.b')
            [CompletionResult]::new('--jq', '--jq', [CompletionResultType]::ParameterName, 'Filter the JSON result with jq; strings print raw')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour [env: NO_COLOR, CLICOLOR_FORCE]')
            [CompletionResult]::new('--request-timeout', '--request-timeout', [CompletionResultType]::ParameterName, 'The longest that one request may take [default: 30s]')
            [CompletionResult]::new('--retries', '--retries', [CompletionResultType]::ParameterName, 'How often a request that may be repeated is tried again [default: 4]')
            [CompletionResult]::new('--sandbox', '--sandbox', [CompletionResultType]::ParameterName, 'Run against the embedded practice service [env: SITECTL_SANDBOX=1]')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'The same as --output json')
            [CompletionResult]::new('--no-header', '--no-header', [CompletionResultType]::ParameterName, 'Leave out the header row of table and csv')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'No progress, no hints; errors still print')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'No progress, no hints; errors still print')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Show each HTTP exchange on stderr; twice for headers and bodies')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Show each HTTP exchange on stderr; twice for headers and bodies')
            [CompletionResult]::new('--no-input', '--no-input', [CompletionResultType]::ParameterName, 'Never ask anything; implied where stdin is not a terminal')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('list', 'list', [CompletionResultType]::ParameterValue, 'List a site''s snapshots')
            [CompletionResult]::new('help', 'help', [CompletionResultType]::ParameterValue, 'Print this message or the help of the given subcommand(s)')
            break
        }
        'sitectl;snapshots;list' {
            [CompletionResult]::new('--limit', '--limit', [CompletionResultType]::ParameterName, 'Stop after N records')
            [CompletionResult]::new('--page', '--page', [CompletionResultType]::ParameterName, 'Only this page, counted from 1')
            [CompletionResult]::new('--per-page', '--per-page', [CompletionResultType]::ParameterName, 'Rows in a page [default: as many as are needed, up to 1000]')
            [CompletionResult]::new('--concurrency', '--concurrency', [CompletionResultType]::ParameterName, 'Pages that are fetched at a time [default: 8]')
            [CompletionResult]::new('--profile', '--profile', [CompletionResultType]::ParameterName, 'Use this profile of the config file [env: SITECTL_PROFILE]')
            [CompletionResult]::new('--base-url', '--base-url', [CompletionResultType]::ParameterName, 'The service''s address, ends in /api/v6 [env: SITECTL_BASE_URL, and SITECTL_TOKEN for the token]')
            [CompletionResult]::new('--ca-cert', '--ca-cert', [CompletionResultType]::ParameterName, 'Trust the certificates in this PEM file, in place of the system''s [env: SSL_CERT_FILE]')
            [CompletionResult]::new('-o', '-o', [CompletionResultType]::ParameterName, 'How to print the result [env: SITECTL_OUTPUT] [default: table]')
            [CompletionResult]::new('--output', '--output', [CompletionResultType]::ParameterName, 'How to print the result [env: SITECTL_OUTPUT] [default: table]')
            [CompletionResult]::new('--fields', '--fields', [CompletionResultType]::ParameterName, 'Print these fields, in this order; a field inside another is a.b')
            [CompletionResult]::new('--jq', '--jq', [CompletionResultType]::ParameterName, 'Filter the JSON result with jq; strings print raw')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour [env: NO_COLOR, CLICOLOR_FORCE]')
            [CompletionResult]::new('--request-timeout', '--request-timeout', [CompletionResultType]::ParameterName, 'The longest that one request may take [default: 30s]')
            [CompletionResult]::new('--retries', '--retries', [CompletionResultType]::ParameterName, 'How often a request that may be repeated is tried again [default: 4]')
            [CompletionResult]::new('--verify', '--verify', [CompletionResultType]::ParameterName, 'Read until two readings agree: finds also what totals cannot show')
            [CompletionResult]::new('--sandbox', '--sandbox', [CompletionResultType]::ParameterName, 'Run against the embedded practice service [env: SITECTL_SANDBOX=1]')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'The same as --output json')
            [CompletionResult]::new('--no-header', '--no-header', [CompletionResultType]::ParameterName, 'Leave out the header row of table and csv')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'No progress, no hints; errors still print')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'No progress, no hints; errors still print')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Show each HTTP exchange on stderr; twice for headers and bodies')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Show each HTTP exchange on stderr; twice for headers and bodies')
            [CompletionResult]::new('--no-input', '--no-input', [CompletionResultType]::ParameterName, 'Never ask anything; implied where stdin is not a terminal')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'sitectl;snapshots;help' {
            [CompletionResult]::new('list', 'list', [CompletionResultType]::ParameterValue, 'List a site''s snapshots')
            [CompletionResult]::new('help', 'help', [CompletionResultType]::ParameterValue, 'Print this message or the help of the given subcommand(s)')
            break
        }
        'sitectl;snapshots;help;list' {
            break
        }
        'sitectl;snapshots;help;help' {
            break
        }
        'sitectl;api' {
            [CompletionResult]::new('-f', '-f', [CompletionResultType]::ParameterName, 'A text, in the query or the body; can be given several times')
            [CompletionResult]::new('--raw-field', '--raw-field', [CompletionResultType]::ParameterName, 'A text, in the query or the body; can be given several times')
            [CompletionResult]::new('-F', '-F ', [CompletionResultType]::ParameterName, 'The same with a JSON value, such as a number, true, null or a list')
            [CompletionResult]::new('--field', '--field', [CompletionResultType]::ParameterName, 'The same with a JSON value, such as a number, true, null or a list')
            [CompletionResult]::new('--input', '--input', [CompletionResultType]::ParameterName, 'Send the JSON in a file as the body, or - for stdin')
            [CompletionResult]::new('--filter', '--filter', [CompletionResultType]::ParameterName, 'Only records for which all of these hold; which fields and operators there are, the service says')
            [CompletionResult]::new('--sort', '--sort', [CompletionResultType]::ParameterName, 'Order by a field, asc unless said otherwise')
            [CompletionResult]::new('--limit', '--limit', [CompletionResultType]::ParameterName, 'Stop after N records')
            [CompletionResult]::new('--per-page', '--per-page', [CompletionResultType]::ParameterName, 'Rows in a page [default: as many as are needed, up to 1000]')
            [CompletionResult]::new('--concurrency', '--concurrency', [CompletionResultType]::ParameterName, 'Pages that are fetched at a time [default: 8]')
            [CompletionResult]::new('--confirm', '--confirm', [CompletionResultType]::ParameterName, 'The profile that is meant: answers where a protected one asks for its name; refused where another is in use')
            [CompletionResult]::new('--profile', '--profile', [CompletionResultType]::ParameterName, 'Use this profile of the config file [env: SITECTL_PROFILE]')
            [CompletionResult]::new('--base-url', '--base-url', [CompletionResultType]::ParameterName, 'The service''s address, ends in /api/v6 [env: SITECTL_BASE_URL, and SITECTL_TOKEN for the token]')
            [CompletionResult]::new('--ca-cert', '--ca-cert', [CompletionResultType]::ParameterName, 'Trust the certificates in this PEM file, in place of the system''s [env: SSL_CERT_FILE]')
            [CompletionResult]::new('-o', '-o', [CompletionResultType]::ParameterName, 'How to print the result [env: SITECTL_OUTPUT] [default: table]')
            [CompletionResult]::new('--output', '--output', [CompletionResultType]::ParameterName, 'How to print the result [env: SITECTL_OUTPUT] [default: table]')
            [CompletionResult]::new('--fields', '--fields', [CompletionResultType]::ParameterName, 'Print these fields, in this order; a field inside another is a.b')
            [CompletionResult]::new('--jq', '--jq', [CompletionResultType]::ParameterName, 'Filter the JSON result with jq; strings print raw')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour [env: NO_COLOR, CLICOLOR_FORCE]')
            [CompletionResult]::new('--request-timeout', '--request-timeout', [CompletionResultType]::ParameterName, 'The longest that one request may take [default: 30s]')
            [CompletionResult]::new('--retries', '--retries', [CompletionResultType]::ParameterName, 'How often a request that may be repeated is tried again [default: 4]')
            [CompletionResult]::new('--paginate', '--paginate', [CompletionResultType]::ParameterName, 'Read the list whole, page after page, and print its records as one list')
            [CompletionResult]::new('--verify', '--verify', [CompletionResultType]::ParameterName, 'Read until two readings agree: finds also what totals cannot show')
            [CompletionResult]::new('-i', '-i', [CompletionResultType]::ParameterName, 'Show the status and headers of each answer on stderr')
            [CompletionResult]::new('--include', '--include', [CompletionResultType]::ParameterName, 'Show the status and headers of each answer on stderr')
            [CompletionResult]::new('--dry-run', '--dry-run', [CompletionResultType]::ParameterName, 'Send nothing, and print the request as a curl command')
            [CompletionResult]::new('--sandbox', '--sandbox', [CompletionResultType]::ParameterName, 'Run against the embedded practice service [env: SITECTL_SANDBOX=1]')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'The same as --output json')
            [CompletionResult]::new('--no-header', '--no-header', [CompletionResultType]::ParameterName, 'Leave out the header row of table and csv')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'No progress, no hints; errors still print')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'No progress, no hints; errors still print')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Show each HTTP exchange on stderr; twice for headers and bodies')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Show each HTTP exchange on stderr; twice for headers and bodies')
            [CompletionResult]::new('--no-input', '--no-input', [CompletionResultType]::ParameterName, 'Never ask anything; implied where stdin is not a terminal')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'sitectl;sandbox' {
            [CompletionResult]::new('--profile', '--profile', [CompletionResultType]::ParameterName, 'Use this profile of the config file [env: SITECTL_PROFILE]')
            [CompletionResult]::new('--base-url', '--base-url', [CompletionResultType]::ParameterName, 'The service''s address, ends in /api/v6 [env: SITECTL_BASE_URL, and SITECTL_TOKEN for the token]')
            [CompletionResult]::new('--ca-cert', '--ca-cert', [CompletionResultType]::ParameterName, 'Trust the certificates in this PEM file, in place of the system''s [env: SSL_CERT_FILE]')
            [CompletionResult]::new('-o', '-o', [CompletionResultType]::ParameterName, 'How to print the result [env: SITECTL_OUTPUT] [default: table]')
            [CompletionResult]::new('--output', '--output', [CompletionResultType]::ParameterName, 'How to print the result [env: SITECTL_OUTPUT] [default: table]')
            [CompletionResult]::new('--fields', '--fields', [CompletionResultType]::ParameterName, 'Print these fields, in this order; a field inside another is a.b')
            [CompletionResult]::new('--jq', '--jq', [CompletionResultType]::ParameterName, 'Filter the JSON result with jq; strings print raw')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour [env: NO_COLOR, CLICOLOR_FORCE]')
            [CompletionResult]::new('--request-timeout', '--request-timeout', [CompletionResultType]::ParameterName, 'The longest that one request may take [default: 30s]')
            [CompletionResult]::new('--retries', '--retries', [CompletionResultType]::ParameterName, 'How often a request that may be repeated is tried again [default: 4]')
            [CompletionResult]::new('--sandbox', '--sandbox', [CompletionResultType]::ParameterName, 'Run against the embedded practice service [env: SITECTL_SANDBOX=1]')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'The same as --output json')
            [CompletionResult]::new('--no-header', '--no-header', [CompletionResultType]::ParameterName, 'Leave out the header row of table and csv')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'No progress, no hints; errors still print')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'No progress, no hints; errors still print')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Show each HTTP exchange on stderr; twice for headers and bodies')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Show each HTTP exchange on stderr; twice for headers and bodies')
            [CompletionResult]::new('--no-input', '--no-input', [CompletionResultType]::ParameterName, 'Never ask anything; implied where stdin is not a terminal')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('serve', 'serve', [CompletionResultType]::ParameterValue, 'Serve the sandbox over HTTP until interrupted')
            [CompletionResult]::new('reset', 'reset', [CompletionResultType]::ParameterValue, 'Put the sandbox''s first data back, and forget the restores that were started on it')
            [CompletionResult]::new('help', 'help', [CompletionResultType]::ParameterValue, 'Print this message or the help of the given subcommand(s)')
            break
        }
        'sitectl;sandbox;serve' {
            [CompletionResult]::new('--listen', '--listen', [CompletionResultType]::ParameterName, 'Listen on this address; port 0 takes a free one')
            [CompletionResult]::new('--db', '--db', [CompletionResultType]::ParameterName, 'Keep the data in this file, or nowhere with :memory: [default: in the state directory]')
            [CompletionResult]::new('--rate-limit', '--rate-limit', [CompletionResultType]::ParameterName, 'Allow each account this many requests per window')
            [CompletionResult]::new('--rate-window', '--rate-window', [CompletionResultType]::ParameterName, 'Make the window of the rate limit this long')
            [CompletionResult]::new('--latency', '--latency', [CompletionResultType]::ParameterName, 'Wait this long before each request is looked at')
            [CompletionResult]::new('--restore-time', '--restore-time', [CompletionResultType]::ParameterName, 'Let a restore take this long')
            [CompletionResult]::new('--max-clients', '--max-clients', [CompletionResultType]::ParameterName, 'Refuse to create more clients than this per account (max_quota) [default: no limit]')
            [CompletionResult]::new('--fault', '--fault', [CompletionResultType]::ParameterName, 'Make a share of the requests go wrong, as in 500:0.1; can be given several times')
            [CompletionResult]::new('--fault-seed', '--fault-seed', [CompletionResultType]::ParameterName, 'Make the sequence of faults the same every time')
            [CompletionResult]::new('--profile', '--profile', [CompletionResultType]::ParameterName, 'Use this profile of the config file [env: SITECTL_PROFILE]')
            [CompletionResult]::new('--base-url', '--base-url', [CompletionResultType]::ParameterName, 'The service''s address, ends in /api/v6 [env: SITECTL_BASE_URL, and SITECTL_TOKEN for the token]')
            [CompletionResult]::new('--ca-cert', '--ca-cert', [CompletionResultType]::ParameterName, 'Trust the certificates in this PEM file, in place of the system''s [env: SSL_CERT_FILE]')
            [CompletionResult]::new('-o', '-o', [CompletionResultType]::ParameterName, 'How to print the result [env: SITECTL_OUTPUT] [default: table]')
            [CompletionResult]::new('--output', '--output', [CompletionResultType]::ParameterName, 'How to print the result [env: SITECTL_OUTPUT] [default: table]')
            [CompletionResult]::new('--fields', '--fields', [CompletionResultType]::ParameterName, 'Print these fields, in this order; a field inside another is a.b')
            [CompletionResult]::new('--jq', '--jq', [CompletionResultType]::ParameterName, 'Filter the JSON result with jq; strings print raw')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour [env: NO_COLOR, CLICOLOR_FORCE]')
            [CompletionResult]::new('--request-timeout', '--request-timeout', [CompletionResultType]::ParameterName, 'The longest that one request may take [default: 30s]')
            [CompletionResult]::new('--retries', '--retries', [CompletionResultType]::ParameterName, 'How often a request that may be repeated is tried again [default: 4]')
            [CompletionResult]::new('--sandbox', '--sandbox', [CompletionResultType]::ParameterName, 'Run against the embedded practice service [env: SITECTL_SANDBOX=1]')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'The same as --output json')
            [CompletionResult]::new('--no-header', '--no-header', [CompletionResultType]::ParameterName, 'Leave out the header row of table and csv')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'No progress, no hints; errors still print')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'No progress, no hints; errors still print')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Show each HTTP exchange on stderr; twice for headers and bodies')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Show each HTTP exchange on stderr; twice for headers and bodies')
            [CompletionResult]::new('--no-input', '--no-input', [CompletionResultType]::ParameterName, 'Never ask anything; implied where stdin is not a terminal')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'sitectl;sandbox;reset' {
            [CompletionResult]::new('--db', '--db', [CompletionResultType]::ParameterName, 'Reset this file [default: the one in the state directory]')
            [CompletionResult]::new('--profile', '--profile', [CompletionResultType]::ParameterName, 'Use this profile of the config file [env: SITECTL_PROFILE]')
            [CompletionResult]::new('--base-url', '--base-url', [CompletionResultType]::ParameterName, 'The service''s address, ends in /api/v6 [env: SITECTL_BASE_URL, and SITECTL_TOKEN for the token]')
            [CompletionResult]::new('--ca-cert', '--ca-cert', [CompletionResultType]::ParameterName, 'Trust the certificates in this PEM file, in place of the system''s [env: SSL_CERT_FILE]')
            [CompletionResult]::new('-o', '-o', [CompletionResultType]::ParameterName, 'How to print the result [env: SITECTL_OUTPUT] [default: table]')
            [CompletionResult]::new('--output', '--output', [CompletionResultType]::ParameterName, 'How to print the result [env: SITECTL_OUTPUT] [default: table]')
            [CompletionResult]::new('--fields', '--fields', [CompletionResultType]::ParameterName, 'Print these fields, in this order; a field inside another is a.b')
            [CompletionResult]::new('--jq', '--jq', [CompletionResultType]::ParameterName, 'Filter the JSON result with jq; strings print raw')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour [env: NO_COLOR, CLICOLOR_FORCE]')
            [CompletionResult]::new('--request-timeout', '--request-timeout', [CompletionResultType]::ParameterName, 'The longest that one request may take [default: 30s]')
            [CompletionResult]::new('--retries', '--retries', [CompletionResultType]::ParameterName, 'How often a request that may be repeated is tried again [default: 4]')
            [CompletionResult]::new('--sandbox', '--sandbox', [CompletionResultType]::ParameterName, 'Run against the embedded practice service [env: SITECTL_SANDBOX=1]')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'The same as --output json')
            [CompletionResult]::new('--no-header', '--no-header', [CompletionResultType]::ParameterName, 'Leave out the header row of table and csv')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'No progress, no hints; errors still print')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'No progress, no hints; errors still print')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Show each HTTP exchange on stderr; twice for headers and bodies')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Show each HTTP exchange on stderr; twice for headers and bodies')
            [CompletionResult]::new('--no-input', '--no-input', [CompletionResultType]::ParameterName, 'Never ask anything; implied where stdin is not a terminal')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'sitectl;sandbox;help' {
            [CompletionResult]::new('serve', 'serve', [CompletionResultType]::ParameterValue, 'Serve the sandbox over HTTP until interrupted')
            [CompletionResult]::new('reset', 'reset', [CompletionResultType]::ParameterValue, 'Put the sandbox''s first data back, and forget the restores that were started on it')
            [CompletionResult]::new('help', 'help', [CompletionResultType]::ParameterValue, 'Print this message or the help of the given subcommand(s)')
            break
        }
        'sitectl;sandbox;help;serve' {
            break
        }
        'sitectl;sandbox;help;reset' {
            break
        }
        'sitectl;sandbox;help;help' {
            break
        }
        'sitectl;auth' {
            [CompletionResult]::new('--profile', '--profile', [CompletionResultType]::ParameterName, 'Use this profile of the config file [env: SITECTL_PROFILE]')
            [CompletionResult]::new('--base-url', '--base-url', [CompletionResultType]::ParameterName, 'The service''s address, ends in /api/v6 [env: SITECTL_BASE_URL, and SITECTL_TOKEN for the token]')
            [CompletionResult]::new('--ca-cert', '--ca-cert', [CompletionResultType]::ParameterName, 'Trust the certificates in this PEM file, in place of the system''s [env: SSL_CERT_FILE]')
            [CompletionResult]::new('-o', '-o', [CompletionResultType]::ParameterName, 'How to print the result [env: SITECTL_OUTPUT] [default: table]')
            [CompletionResult]::new('--output', '--output', [CompletionResultType]::ParameterName, 'How to print the result [env: SITECTL_OUTPUT] [default: table]')
            [CompletionResult]::new('--fields', '--fields', [CompletionResultType]::ParameterName, 'Print these fields, in this order; a field inside another is a.b')
            [CompletionResult]::new('--jq', '--jq', [CompletionResultType]::ParameterName, 'Filter the JSON result with jq; strings print raw')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour [env: NO_COLOR, CLICOLOR_FORCE]')
            [CompletionResult]::new('--request-timeout', '--request-timeout', [CompletionResultType]::ParameterName, 'The longest that one request may take [default: 30s]')
            [CompletionResult]::new('--retries', '--retries', [CompletionResultType]::ParameterName, 'How often a request that may be repeated is tried again [default: 4]')
            [CompletionResult]::new('--sandbox', '--sandbox', [CompletionResultType]::ParameterName, 'Run against the embedded practice service [env: SITECTL_SANDBOX=1]')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'The same as --output json')
            [CompletionResult]::new('--no-header', '--no-header', [CompletionResultType]::ParameterName, 'Leave out the header row of table and csv')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'No progress, no hints; errors still print')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'No progress, no hints; errors still print')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Show each HTTP exchange on stderr; twice for headers and bodies')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Show each HTTP exchange on stderr; twice for headers and bodies')
            [CompletionResult]::new('--no-input', '--no-input', [CompletionResultType]::ParameterName, 'Never ask anything; implied where stdin is not a terminal')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('login', 'login', [CompletionResultType]::ParameterValue, 'Save a service''s address and token as a profile, once the service has accepted them')
            [CompletionResult]::new('status', 'status', [CompletionResultType]::ParameterValue, 'Show which service and token are in use, where each setting is from, and whether they are accepted')
            [CompletionResult]::new('logout', 'logout', [CompletionResultType]::ParameterValue, 'Take the token, or the command that prints it, out of a profile; the rest stays')
            [CompletionResult]::new('help', 'help', [CompletionResultType]::ParameterValue, 'Print this message or the help of the given subcommand(s)')
            break
        }
        'sitectl;auth;login' {
            [CompletionResult]::new('--token-command', '--token-command', [CompletionResultType]::ParameterName, 'Save a command that prints the token; it is run whenever the token is needed')
            [CompletionResult]::new('--profile', '--profile', [CompletionResultType]::ParameterName, 'Use this profile of the config file [env: SITECTL_PROFILE]')
            [CompletionResult]::new('--base-url', '--base-url', [CompletionResultType]::ParameterName, 'The service''s address, ends in /api/v6 [env: SITECTL_BASE_URL, and SITECTL_TOKEN for the token]')
            [CompletionResult]::new('--ca-cert', '--ca-cert', [CompletionResultType]::ParameterName, 'Trust the certificates in this PEM file, in place of the system''s [env: SSL_CERT_FILE]')
            [CompletionResult]::new('-o', '-o', [CompletionResultType]::ParameterName, 'How to print the result [env: SITECTL_OUTPUT] [default: table]')
            [CompletionResult]::new('--output', '--output', [CompletionResultType]::ParameterName, 'How to print the result [env: SITECTL_OUTPUT] [default: table]')
            [CompletionResult]::new('--fields', '--fields', [CompletionResultType]::ParameterName, 'Print these fields, in this order; a field inside another is a.b')
            [CompletionResult]::new('--jq', '--jq', [CompletionResultType]::ParameterName, 'Filter the JSON result with jq; strings print raw')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour [env: NO_COLOR, CLICOLOR_FORCE]')
            [CompletionResult]::new('--request-timeout', '--request-timeout', [CompletionResultType]::ParameterName, 'The longest that one request may take [default: 30s]')
            [CompletionResult]::new('--retries', '--retries', [CompletionResultType]::ParameterName, 'How often a request that may be repeated is tried again [default: 4]')
            [CompletionResult]::new('--with-token', '--with-token', [CompletionResultType]::ParameterName, 'Read the token from stdin')
            [CompletionResult]::new('--no-verify', '--no-verify', [CompletionResultType]::ParameterName, 'Save it without asking the service')
            [CompletionResult]::new('--sandbox', '--sandbox', [CompletionResultType]::ParameterName, 'Run against the embedded practice service [env: SITECTL_SANDBOX=1]')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'The same as --output json')
            [CompletionResult]::new('--no-header', '--no-header', [CompletionResultType]::ParameterName, 'Leave out the header row of table and csv')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'No progress, no hints; errors still print')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'No progress, no hints; errors still print')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Show each HTTP exchange on stderr; twice for headers and bodies')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Show each HTTP exchange on stderr; twice for headers and bodies')
            [CompletionResult]::new('--no-input', '--no-input', [CompletionResultType]::ParameterName, 'Never ask anything; implied where stdin is not a terminal')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'sitectl;auth;status' {
            [CompletionResult]::new('--profile', '--profile', [CompletionResultType]::ParameterName, 'Use this profile of the config file [env: SITECTL_PROFILE]')
            [CompletionResult]::new('--base-url', '--base-url', [CompletionResultType]::ParameterName, 'The service''s address, ends in /api/v6 [env: SITECTL_BASE_URL, and SITECTL_TOKEN for the token]')
            [CompletionResult]::new('--ca-cert', '--ca-cert', [CompletionResultType]::ParameterName, 'Trust the certificates in this PEM file, in place of the system''s [env: SSL_CERT_FILE]')
            [CompletionResult]::new('-o', '-o', [CompletionResultType]::ParameterName, 'How to print the result [env: SITECTL_OUTPUT] [default: table]')
            [CompletionResult]::new('--output', '--output', [CompletionResultType]::ParameterName, 'How to print the result [env: SITECTL_OUTPUT] [default: table]')
            [CompletionResult]::new('--fields', '--fields', [CompletionResultType]::ParameterName, 'Print these fields, in this order; a field inside another is a.b')
            [CompletionResult]::new('--jq', '--jq', [CompletionResultType]::ParameterName, 'Filter the JSON result with jq; strings print raw')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour [env: NO_COLOR, CLICOLOR_FORCE]')
            [CompletionResult]::new('--request-timeout', '--request-timeout', [CompletionResultType]::ParameterName, 'The longest that one request may take [default: 30s]')
            [CompletionResult]::new('--retries', '--retries', [CompletionResultType]::ParameterName, 'How often a request that may be repeated is tried again [default: 4]')
            [CompletionResult]::new('--offline', '--offline', [CompletionResultType]::ParameterName, 'Do not ask the service')
            [CompletionResult]::new('--sandbox', '--sandbox', [CompletionResultType]::ParameterName, 'Run against the embedded practice service [env: SITECTL_SANDBOX=1]')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'The same as --output json')
            [CompletionResult]::new('--no-header', '--no-header', [CompletionResultType]::ParameterName, 'Leave out the header row of table and csv')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'No progress, no hints; errors still print')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'No progress, no hints; errors still print')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Show each HTTP exchange on stderr; twice for headers and bodies')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Show each HTTP exchange on stderr; twice for headers and bodies')
            [CompletionResult]::new('--no-input', '--no-input', [CompletionResultType]::ParameterName, 'Never ask anything; implied where stdin is not a terminal')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'sitectl;auth;logout' {
            [CompletionResult]::new('--profile', '--profile', [CompletionResultType]::ParameterName, 'Use this profile of the config file [env: SITECTL_PROFILE]')
            [CompletionResult]::new('--base-url', '--base-url', [CompletionResultType]::ParameterName, 'The service''s address, ends in /api/v6 [env: SITECTL_BASE_URL, and SITECTL_TOKEN for the token]')
            [CompletionResult]::new('--ca-cert', '--ca-cert', [CompletionResultType]::ParameterName, 'Trust the certificates in this PEM file, in place of the system''s [env: SSL_CERT_FILE]')
            [CompletionResult]::new('-o', '-o', [CompletionResultType]::ParameterName, 'How to print the result [env: SITECTL_OUTPUT] [default: table]')
            [CompletionResult]::new('--output', '--output', [CompletionResultType]::ParameterName, 'How to print the result [env: SITECTL_OUTPUT] [default: table]')
            [CompletionResult]::new('--fields', '--fields', [CompletionResultType]::ParameterName, 'Print these fields, in this order; a field inside another is a.b')
            [CompletionResult]::new('--jq', '--jq', [CompletionResultType]::ParameterName, 'Filter the JSON result with jq; strings print raw')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour [env: NO_COLOR, CLICOLOR_FORCE]')
            [CompletionResult]::new('--request-timeout', '--request-timeout', [CompletionResultType]::ParameterName, 'The longest that one request may take [default: 30s]')
            [CompletionResult]::new('--retries', '--retries', [CompletionResultType]::ParameterName, 'How often a request that may be repeated is tried again [default: 4]')
            [CompletionResult]::new('--sandbox', '--sandbox', [CompletionResultType]::ParameterName, 'Run against the embedded practice service [env: SITECTL_SANDBOX=1]')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'The same as --output json')
            [CompletionResult]::new('--no-header', '--no-header', [CompletionResultType]::ParameterName, 'Leave out the header row of table and csv')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'No progress, no hints; errors still print')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'No progress, no hints; errors still print')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Show each HTTP exchange on stderr; twice for headers and bodies')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Show each HTTP exchange on stderr; twice for headers and bodies')
            [CompletionResult]::new('--no-input', '--no-input', [CompletionResultType]::ParameterName, 'Never ask anything; implied where stdin is not a terminal')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'sitectl;auth;help' {
            [CompletionResult]::new('login', 'login', [CompletionResultType]::ParameterValue, 'Save a service''s address and token as a profile, once the service has accepted them')
            [CompletionResult]::new('status', 'status', [CompletionResultType]::ParameterValue, 'Show which service and token are in use, where each setting is from, and whether they are accepted')
            [CompletionResult]::new('logout', 'logout', [CompletionResultType]::ParameterValue, 'Take the token, or the command that prints it, out of a profile; the rest stays')
            [CompletionResult]::new('help', 'help', [CompletionResultType]::ParameterValue, 'Print this message or the help of the given subcommand(s)')
            break
        }
        'sitectl;auth;help;login' {
            break
        }
        'sitectl;auth;help;status' {
            break
        }
        'sitectl;auth;help;logout' {
            break
        }
        'sitectl;auth;help;help' {
            break
        }
        'sitectl;profiles' {
            [CompletionResult]::new('--profile', '--profile', [CompletionResultType]::ParameterName, 'Use this profile of the config file [env: SITECTL_PROFILE]')
            [CompletionResult]::new('--base-url', '--base-url', [CompletionResultType]::ParameterName, 'The service''s address, ends in /api/v6 [env: SITECTL_BASE_URL, and SITECTL_TOKEN for the token]')
            [CompletionResult]::new('--ca-cert', '--ca-cert', [CompletionResultType]::ParameterName, 'Trust the certificates in this PEM file, in place of the system''s [env: SSL_CERT_FILE]')
            [CompletionResult]::new('-o', '-o', [CompletionResultType]::ParameterName, 'How to print the result [env: SITECTL_OUTPUT] [default: table]')
            [CompletionResult]::new('--output', '--output', [CompletionResultType]::ParameterName, 'How to print the result [env: SITECTL_OUTPUT] [default: table]')
            [CompletionResult]::new('--fields', '--fields', [CompletionResultType]::ParameterName, 'Print these fields, in this order; a field inside another is a.b')
            [CompletionResult]::new('--jq', '--jq', [CompletionResultType]::ParameterName, 'Filter the JSON result with jq; strings print raw')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour [env: NO_COLOR, CLICOLOR_FORCE]')
            [CompletionResult]::new('--request-timeout', '--request-timeout', [CompletionResultType]::ParameterName, 'The longest that one request may take [default: 30s]')
            [CompletionResult]::new('--retries', '--retries', [CompletionResultType]::ParameterName, 'How often a request that may be repeated is tried again [default: 4]')
            [CompletionResult]::new('--sandbox', '--sandbox', [CompletionResultType]::ParameterName, 'Run against the embedded practice service [env: SITECTL_SANDBOX=1]')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'The same as --output json')
            [CompletionResult]::new('--no-header', '--no-header', [CompletionResultType]::ParameterName, 'Leave out the header row of table and csv')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'No progress, no hints; errors still print')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'No progress, no hints; errors still print')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Show each HTTP exchange on stderr; twice for headers and bodies')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Show each HTTP exchange on stderr; twice for headers and bodies')
            [CompletionResult]::new('--no-input', '--no-input', [CompletionResultType]::ParameterName, 'Never ask anything; implied where stdin is not a terminal')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('list', 'list', [CompletionResultType]::ParameterValue, 'List the profiles of the config file')
            [CompletionResult]::new('use', 'use', [CompletionResultType]::ParameterValue, 'Make a profile the current one: it is used where none is named')
            [CompletionResult]::new('remove', 'remove', [CompletionResultType]::ParameterValue, 'Take a profile out of the config file, with its token and all its settings')
            [CompletionResult]::new('help', 'help', [CompletionResultType]::ParameterValue, 'Print this message or the help of the given subcommand(s)')
            break
        }
        'sitectl;profiles;list' {
            [CompletionResult]::new('--profile', '--profile', [CompletionResultType]::ParameterName, 'Use this profile of the config file [env: SITECTL_PROFILE]')
            [CompletionResult]::new('--base-url', '--base-url', [CompletionResultType]::ParameterName, 'The service''s address, ends in /api/v6 [env: SITECTL_BASE_URL, and SITECTL_TOKEN for the token]')
            [CompletionResult]::new('--ca-cert', '--ca-cert', [CompletionResultType]::ParameterName, 'Trust the certificates in this PEM file, in place of the system''s [env: SSL_CERT_FILE]')
            [CompletionResult]::new('-o', '-o', [CompletionResultType]::ParameterName, 'How to print the result [env: SITECTL_OUTPUT] [default: table]')
            [CompletionResult]::new('--output', '--output', [CompletionResultType]::ParameterName, 'How to print the result [env: SITECTL_OUTPUT] [default: table]')
            [CompletionResult]::new('--fields', '--fields', [CompletionResultType]::ParameterName, 'Print these fields, in this order; a field inside another is a.b')
            [CompletionResult]::new('--jq', '--jq', [CompletionResultType]::ParameterName, 'Filter the JSON result with jq; strings print raw')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour [env: NO_COLOR, CLICOLOR_FORCE]')
            [CompletionResult]::new('--request-timeout', '--request-timeout', [CompletionResultType]::ParameterName, 'The longest that one request may take [default: 30s]')
            [CompletionResult]::new('--retries', '--retries', [CompletionResultType]::ParameterName, 'How often a request that may be repeated is tried again [default: 4]')
            [CompletionResult]::new('--sandbox', '--sandbox', [CompletionResultType]::ParameterName, 'Run against the embedded practice service [env: SITECTL_SANDBOX=1]')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'The same as --output json')
            [CompletionResult]::new('--no-header', '--no-header', [CompletionResultType]::ParameterName, 'Leave out the header row of table and csv')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'No progress, no hints; errors still print')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'No progress, no hints; errors still print')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Show each HTTP exchange on stderr; twice for headers and bodies')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Show each HTTP exchange on stderr; twice for headers and bodies')
            [CompletionResult]::new('--no-input', '--no-input', [CompletionResultType]::ParameterName, 'Never ask anything; implied where stdin is not a terminal')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'sitectl;profiles;use' {
            [CompletionResult]::new('--profile', '--profile', [CompletionResultType]::ParameterName, 'Use this profile of the config file [env: SITECTL_PROFILE]')
            [CompletionResult]::new('--base-url', '--base-url', [CompletionResultType]::ParameterName, 'The service''s address, ends in /api/v6 [env: SITECTL_BASE_URL, and SITECTL_TOKEN for the token]')
            [CompletionResult]::new('--ca-cert', '--ca-cert', [CompletionResultType]::ParameterName, 'Trust the certificates in this PEM file, in place of the system''s [env: SSL_CERT_FILE]')
            [CompletionResult]::new('-o', '-o', [CompletionResultType]::ParameterName, 'How to print the result [env: SITECTL_OUTPUT] [default: table]')
            [CompletionResult]::new('--output', '--output', [CompletionResultType]::ParameterName, 'How to print the result [env: SITECTL_OUTPUT] [default: table]')
            [CompletionResult]::new('--fields', '--fields', [CompletionResultType]::ParameterName, 'Print these fields, in this order; a field inside another is a.b')
            [CompletionResult]::new('--jq', '--jq', [CompletionResultType]::ParameterName, 'Filter the JSON result with jq; strings print raw')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour [env: NO_COLOR, CLICOLOR_FORCE]')
            [CompletionResult]::new('--request-timeout', '--request-timeout', [CompletionResultType]::ParameterName, 'The longest that one request may take [default: 30s]')
            [CompletionResult]::new('--retries', '--retries', [CompletionResultType]::ParameterName, 'How often a request that may be repeated is tried again [default: 4]')
            [CompletionResult]::new('--sandbox', '--sandbox', [CompletionResultType]::ParameterName, 'Run against the embedded practice service [env: SITECTL_SANDBOX=1]')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'The same as --output json')
            [CompletionResult]::new('--no-header', '--no-header', [CompletionResultType]::ParameterName, 'Leave out the header row of table and csv')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'No progress, no hints; errors still print')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'No progress, no hints; errors still print')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Show each HTTP exchange on stderr; twice for headers and bodies')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Show each HTTP exchange on stderr; twice for headers and bodies')
            [CompletionResult]::new('--no-input', '--no-input', [CompletionResultType]::ParameterName, 'Never ask anything; implied where stdin is not a terminal')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'sitectl;profiles;remove' {
            [CompletionResult]::new('--profile', '--profile', [CompletionResultType]::ParameterName, 'Use this profile of the config file [env: SITECTL_PROFILE]')
            [CompletionResult]::new('--base-url', '--base-url', [CompletionResultType]::ParameterName, 'The service''s address, ends in /api/v6 [env: SITECTL_BASE_URL, and SITECTL_TOKEN for the token]')
            [CompletionResult]::new('--ca-cert', '--ca-cert', [CompletionResultType]::ParameterName, 'Trust the certificates in this PEM file, in place of the system''s [env: SSL_CERT_FILE]')
            [CompletionResult]::new('-o', '-o', [CompletionResultType]::ParameterName, 'How to print the result [env: SITECTL_OUTPUT] [default: table]')
            [CompletionResult]::new('--output', '--output', [CompletionResultType]::ParameterName, 'How to print the result [env: SITECTL_OUTPUT] [default: table]')
            [CompletionResult]::new('--fields', '--fields', [CompletionResultType]::ParameterName, 'Print these fields, in this order; a field inside another is a.b')
            [CompletionResult]::new('--jq', '--jq', [CompletionResultType]::ParameterName, 'Filter the JSON result with jq; strings print raw')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour [env: NO_COLOR, CLICOLOR_FORCE]')
            [CompletionResult]::new('--request-timeout', '--request-timeout', [CompletionResultType]::ParameterName, 'The longest that one request may take [default: 30s]')
            [CompletionResult]::new('--retries', '--retries', [CompletionResultType]::ParameterName, 'How often a request that may be repeated is tried again [default: 4]')
            [CompletionResult]::new('-y', '-y', [CompletionResultType]::ParameterName, 'Do not ask')
            [CompletionResult]::new('--yes', '--yes', [CompletionResultType]::ParameterName, 'Do not ask')
            [CompletionResult]::new('--sandbox', '--sandbox', [CompletionResultType]::ParameterName, 'Run against the embedded practice service [env: SITECTL_SANDBOX=1]')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'The same as --output json')
            [CompletionResult]::new('--no-header', '--no-header', [CompletionResultType]::ParameterName, 'Leave out the header row of table and csv')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'No progress, no hints; errors still print')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'No progress, no hints; errors still print')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Show each HTTP exchange on stderr; twice for headers and bodies')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Show each HTTP exchange on stderr; twice for headers and bodies')
            [CompletionResult]::new('--no-input', '--no-input', [CompletionResultType]::ParameterName, 'Never ask anything; implied where stdin is not a terminal')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'sitectl;profiles;help' {
            [CompletionResult]::new('list', 'list', [CompletionResultType]::ParameterValue, 'List the profiles of the config file')
            [CompletionResult]::new('use', 'use', [CompletionResultType]::ParameterValue, 'Make a profile the current one: it is used where none is named')
            [CompletionResult]::new('remove', 'remove', [CompletionResultType]::ParameterValue, 'Take a profile out of the config file, with its token and all its settings')
            [CompletionResult]::new('help', 'help', [CompletionResultType]::ParameterValue, 'Print this message or the help of the given subcommand(s)')
            break
        }
        'sitectl;profiles;help;list' {
            break
        }
        'sitectl;profiles;help;use' {
            break
        }
        'sitectl;profiles;help;remove' {
            break
        }
        'sitectl;profiles;help;help' {
            break
        }
        'sitectl;completions' {
            [CompletionResult]::new('--profile', '--profile', [CompletionResultType]::ParameterName, 'Use this profile of the config file [env: SITECTL_PROFILE]')
            [CompletionResult]::new('--base-url', '--base-url', [CompletionResultType]::ParameterName, 'The service''s address, ends in /api/v6 [env: SITECTL_BASE_URL, and SITECTL_TOKEN for the token]')
            [CompletionResult]::new('--ca-cert', '--ca-cert', [CompletionResultType]::ParameterName, 'Trust the certificates in this PEM file, in place of the system''s [env: SSL_CERT_FILE]')
            [CompletionResult]::new('-o', '-o', [CompletionResultType]::ParameterName, 'How to print the result [env: SITECTL_OUTPUT] [default: table]')
            [CompletionResult]::new('--output', '--output', [CompletionResultType]::ParameterName, 'How to print the result [env: SITECTL_OUTPUT] [default: table]')
            [CompletionResult]::new('--fields', '--fields', [CompletionResultType]::ParameterName, 'Print these fields, in this order; a field inside another is a.b')
            [CompletionResult]::new('--jq', '--jq', [CompletionResultType]::ParameterName, 'Filter the JSON result with jq; strings print raw')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour [env: NO_COLOR, CLICOLOR_FORCE]')
            [CompletionResult]::new('--request-timeout', '--request-timeout', [CompletionResultType]::ParameterName, 'The longest that one request may take [default: 30s]')
            [CompletionResult]::new('--retries', '--retries', [CompletionResultType]::ParameterName, 'How often a request that may be repeated is tried again [default: 4]')
            [CompletionResult]::new('--sandbox', '--sandbox', [CompletionResultType]::ParameterName, 'Run against the embedded practice service [env: SITECTL_SANDBOX=1]')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'The same as --output json')
            [CompletionResult]::new('--no-header', '--no-header', [CompletionResultType]::ParameterName, 'Leave out the header row of table and csv')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'No progress, no hints; errors still print')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'No progress, no hints; errors still print')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Show each HTTP exchange on stderr; twice for headers and bodies')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Show each HTTP exchange on stderr; twice for headers and bodies')
            [CompletionResult]::new('--no-input', '--no-input', [CompletionResultType]::ParameterName, 'Never ask anything; implied where stdin is not a terminal')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'sitectl;explain' {
            [CompletionResult]::new('--profile', '--profile', [CompletionResultType]::ParameterName, 'Use this profile of the config file [env: SITECTL_PROFILE]')
            [CompletionResult]::new('--base-url', '--base-url', [CompletionResultType]::ParameterName, 'The service''s address, ends in /api/v6 [env: SITECTL_BASE_URL, and SITECTL_TOKEN for the token]')
            [CompletionResult]::new('--ca-cert', '--ca-cert', [CompletionResultType]::ParameterName, 'Trust the certificates in this PEM file, in place of the system''s [env: SSL_CERT_FILE]')
            [CompletionResult]::new('-o', '-o', [CompletionResultType]::ParameterName, 'How to print the result [env: SITECTL_OUTPUT] [default: table]')
            [CompletionResult]::new('--output', '--output', [CompletionResultType]::ParameterName, 'How to print the result [env: SITECTL_OUTPUT] [default: table]')
            [CompletionResult]::new('--fields', '--fields', [CompletionResultType]::ParameterName, 'Print these fields, in this order; a field inside another is a.b')
            [CompletionResult]::new('--jq', '--jq', [CompletionResultType]::ParameterName, 'Filter the JSON result with jq; strings print raw')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour [env: NO_COLOR, CLICOLOR_FORCE]')
            [CompletionResult]::new('--request-timeout', '--request-timeout', [CompletionResultType]::ParameterName, 'The longest that one request may take [default: 30s]')
            [CompletionResult]::new('--retries', '--retries', [CompletionResultType]::ParameterName, 'How often a request that may be repeated is tried again [default: 4]')
            [CompletionResult]::new('--sandbox', '--sandbox', [CompletionResultType]::ParameterName, 'Run against the embedded practice service [env: SITECTL_SANDBOX=1]')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'The same as --output json')
            [CompletionResult]::new('--no-header', '--no-header', [CompletionResultType]::ParameterName, 'Leave out the header row of table and csv')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'No progress, no hints; errors still print')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'No progress, no hints; errors still print')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Show each HTTP exchange on stderr; twice for headers and bodies')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Show each HTTP exchange on stderr; twice for headers and bodies')
            [CompletionResult]::new('--no-input', '--no-input', [CompletionResultType]::ParameterName, 'Never ask anything; implied where stdin is not a terminal')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'sitectl;help' {
            [CompletionResult]::new('clients', 'clients', [CompletionResultType]::ParameterValue, 'List, show and change the clients whose sites are managed')
            [CompletionResult]::new('managed-accounts', 'managed-accounts', [CompletionResultType]::ParameterValue, 'List and show the accounts of others that this account may use')
            [CompletionResult]::new('restore', 'restore', [CompletionResultType]::ParameterValue, 'Start restores of sites and watch them to their end')
            [CompletionResult]::new('tasks', 'tasks', [CompletionResultType]::ParameterValue, 'Show background tasks')
            [CompletionResult]::new('sites', 'sites', [CompletionResultType]::ParameterValue, 'List the sites of the account')
            [CompletionResult]::new('snapshots', 'snapshots', [CompletionResultType]::ParameterValue, 'List the snapshots of a site')
            [CompletionResult]::new('api', 'api', [CompletionResultType]::ParameterValue, 'Send a request by hand, to any area of the service')
            [CompletionResult]::new('sandbox', 'sandbox', [CompletionResultType]::ParameterValue, 'Practise on a local service that keeps the rules of the real one')
            [CompletionResult]::new('auth', 'auth', [CompletionResultType]::ParameterValue, 'Save the address and token of a service, and see whether they are accepted')
            [CompletionResult]::new('profiles', 'profiles', [CompletionResultType]::ParameterValue, 'List, choose and remove the profiles of the config file')
            [CompletionResult]::new('completions', 'completions', [CompletionResultType]::ParameterValue, 'Print the completion script for a shell')
            [CompletionResult]::new('explain', 'explain', [CompletionResultType]::ParameterValue, 'Explain an error by its kind, its exit code or the code of one of its details')
            [CompletionResult]::new('help', 'help', [CompletionResultType]::ParameterValue, 'Print this message or the help of the given subcommand(s)')
            break
        }
        'sitectl;help;clients' {
            [CompletionResult]::new('apply', 'apply', [CompletionResultType]::ParameterValue, 'Make the account''s clients match a file: create, update and, with --prune, delete them')
            [CompletionResult]::new('create', 'create', [CompletionResultType]::ParameterValue, 'Create a client. On a terminal, what is missing is asked for')
            [CompletionResult]::new('delete', 'delete', [CompletionResultType]::ParameterValue, 'Delete clients; their sites stay, and belong to no client')
            [CompletionResult]::new('list', 'list', [CompletionResultType]::ParameterValue, 'List clients: all of them, newest first, or those that match')
            [CompletionResult]::new('show', 'show', [CompletionResultType]::ParameterValue, 'Show one client, all its fields')
            [CompletionResult]::new('update', 'update', [CompletionResultType]::ParameterValue, 'Change a client''s details, note or sites; what is not named stays as it is')
            break
        }
        'sitectl;help;clients;apply' {
            break
        }
        'sitectl;help;clients;create' {
            break
        }
        'sitectl;help;clients;delete' {
            break
        }
        'sitectl;help;clients;list' {
            break
        }
        'sitectl;help;clients;show' {
            break
        }
        'sitectl;help;clients;update' {
            break
        }
        'sitectl;help;managed-accounts' {
            [CompletionResult]::new('list', 'list', [CompletionResultType]::ParameterValue, 'List managed accounts and invitations: all of them, newest first, or those that match')
            [CompletionResult]::new('show', 'show', [CompletionResultType]::ParameterValue, 'Show one managed account, all its fields')
            break
        }
        'sitectl;help;managed-accounts;list' {
            break
        }
        'sitectl;help;managed-accounts;show' {
            break
        }
        'sitectl;help;restore' {
            [CompletionResult]::new('history', 'history', [CompletionResultType]::ParameterValue, 'Show the restores that were started from this machine, whatever the profile, newest first')
            [CompletionResult]::new('start', 'start', [CompletionResultType]::ParameterValue, 'Restore a site from a snapshot. This overwrites the live site')
            [CompletionResult]::new('watch', 'watch', [CompletionResultType]::ParameterValue, 'Watch restores until they end; without ids, all that this profile has started here and not yet seen end')
            break
        }
        'sitectl;help;restore;history' {
            break
        }
        'sitectl;help;restore;start' {
            break
        }
        'sitectl;help;restore;watch' {
            break
        }
        'sitectl;help;tasks' {
            [CompletionResult]::new('show', 'show', [CompletionResultType]::ParameterValue, 'Show a background task as it stands now; `restore watch` waits for its end')
            break
        }
        'sitectl;help;tasks;show' {
            break
        }
        'sitectl;help;sites' {
            [CompletionResult]::new('list', 'list', [CompletionResultType]::ParameterValue, 'List the sites of the account')
            break
        }
        'sitectl;help;sites;list' {
            break
        }
        'sitectl;help;snapshots' {
            [CompletionResult]::new('list', 'list', [CompletionResultType]::ParameterValue, 'List a site''s snapshots')
            break
        }
        'sitectl;help;snapshots;list' {
            break
        }
        'sitectl;help;api' {
            break
        }
        'sitectl;help;sandbox' {
            [CompletionResult]::new('serve', 'serve', [CompletionResultType]::ParameterValue, 'Serve the sandbox over HTTP until interrupted')
            [CompletionResult]::new('reset', 'reset', [CompletionResultType]::ParameterValue, 'Put the sandbox''s first data back, and forget the restores that were started on it')
            break
        }
        'sitectl;help;sandbox;serve' {
            break
        }
        'sitectl;help;sandbox;reset' {
            break
        }
        'sitectl;help;auth' {
            [CompletionResult]::new('login', 'login', [CompletionResultType]::ParameterValue, 'Save a service''s address and token as a profile, once the service has accepted them')
            [CompletionResult]::new('status', 'status', [CompletionResultType]::ParameterValue, 'Show which service and token are in use, where each setting is from, and whether they are accepted')
            [CompletionResult]::new('logout', 'logout', [CompletionResultType]::ParameterValue, 'Take the token, or the command that prints it, out of a profile; the rest stays')
            break
        }
        'sitectl;help;auth;login' {
            break
        }
        'sitectl;help;auth;status' {
            break
        }
        'sitectl;help;auth;logout' {
            break
        }
        'sitectl;help;profiles' {
            [CompletionResult]::new('list', 'list', [CompletionResultType]::ParameterValue, 'List the profiles of the config file')
            [CompletionResult]::new('use', 'use', [CompletionResultType]::ParameterValue, 'Make a profile the current one: it is used where none is named')
            [CompletionResult]::new('remove', 'remove', [CompletionResultType]::ParameterValue, 'Take a profile out of the config file, with its token and all its settings')
            break
        }
        'sitectl;help;profiles;list' {
            break
        }
        'sitectl;help;profiles;use' {
            break
        }
        'sitectl;help;profiles;remove' {
            break
        }
        'sitectl;help;completions' {
            break
        }
        'sitectl;help;explain' {
            break
        }
        'sitectl;help;help' {
            break
        }
    })

    $completions.Where{ $_.CompletionText -like "$wordToComplete*" } |
        Sort-Object -Property ListItemText
}
