# Completion of sitectl for PowerShell. The program itself finds the candidates.

Register-ArgumentCompleter -Native -CommandName 'sitectl' -ScriptBlock {
    param($wordToComplete, $commandAst, $cursorPosition)

    $words = @()
    $current = ''
    foreach ($element in $commandAst.CommandElements) {
        $extent = $element.Extent
        $text = $extent.Text
        if ($element -is [System.Management.Automation.Language.StringConstantExpressionAst]) {
            $text = $element.Value
        }
        if ($extent.EndOffset -lt $cursorPosition) {
            $words += "=$text"
        } elseif ($extent.StartOffset -lt $cursorPosition) {
            $current = if ($extent.EndOffset -eq $cursorPosition) { $text } else {
                $extent.Text.Substring(0, $cursorPosition - $extent.StartOffset)
            }
        }
    }
    # Called by a path, that program completes.
    $program = 'sitectl'
    $name = $commandAst.GetCommandName()
    if ($name -match '[/\\]') {
        $program = $name
    }
    $words += "=$current"
    $kind, $lines = & $program __complete powershell @words 2>$null
    if ($kind -eq 'files') {
        # PowerShell completes files if nothing comes back.
        return
    }
    if (-not $lines) {
        return ''
    }
    foreach ($line in $lines) {
        $value, $about = $line.Substring(1).Split("`t", 2)
        if (-not $about) {
            $about = $value
        }
        [System.Management.Automation.CompletionResult]::new($value, $value, 'ParameterValue', $about)
    }
}
