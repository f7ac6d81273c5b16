# Completion of sitectl for elvish: sitectl itself says what can be typed.

use str

set edit:completion:arg-completer[sitectl] = {|@words|
    var lines = [(try { (external sitectl) __complete elvish $@words | from-lines } catch { nop })]
    if (eq $lines [files]) {
        edit:complete-filename $words[-1]
    } elif (> (count $lines) 1) {
        for line $lines[1..] {
            var parts = [(str:split "\t" $line[1..])]
            var value = $parts[0]
            var display = $value
            if (> (count $parts) 1) {
                set display = $value'  ('$parts[1]')'
            }
            var suffix = ' '
            if (eq $line[0] '+') {
                set suffix = ''
            }
            edit:complex-candidate $value &code-suffix=$suffix &display=$display
        }
    }
}
