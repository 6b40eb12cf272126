/**
 * Completion for PowerShell, 5.1 and newer. The last word travels in an option, since older ones drop an empty argument; an
 * empty text stands for no candidates, since none at all would offer files.
 */
export const powershellScript = `# tenant-users: completion for PowerShell
Register-ArgumentCompleter -Native -CommandName 'tenant-users' -ScriptBlock {
    param($wordToComplete, $commandAst, $cursorPosition)
    $before = @($commandAst.CommandElements | Select-Object -Skip 1 |
        Where-Object { $_.Extent.EndOffset -lt $cursorPosition } |
        ForEach-Object {
            if ($_ -is [System.Management.Automation.Language.StringConstantExpressionAst]) { $_.Value }
            else { $_.Extent.Text }
        })
    $current = $wordToComplete -replace '^[''"]|[''"]$', ''
    $answer = @(& tenant-users complete "--word=$current" '--' @before 2>$null)
    if ($answer.Count -eq 0) { return }
    $directive = $answer[-1]
    if ($answer.Count -gt 1) {
        foreach ($line in $answer[0..($answer.Count - 2)]) {
            $value, $description = $line.Split([char]9, 2)
            $text = $value
            if ($text -notmatch '^[\\w=:./-]+$') { $text = "'" + ($text -replace "'", "''") + "'" }
            if (-not $description) { $description = $value }
            [System.Management.Automation.CompletionResult]::new($text, $value, 'ParameterValue', $description)
        }
    }
    elseif ($directive -eq ':4' -or $directive -eq ':6') { '' }
}
`;
