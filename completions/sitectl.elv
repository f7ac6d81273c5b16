# Completion of sitectl for elvish. The program itself finds the candidates.

use str

set edit:completion:arg-completer[sitectl] = {|@words|
    var lines = [(try { (external sitectl) __complete elvish $@words | from-lines } catch { nop })]
    if (eq $lines [files]) {
        edit:complete-filename $words[-1]
    } elif (> (count $lines) 1) {
        for line $lines[1..] {
            var value about = (str:split "\t" $line[1..])
            var display = $value
            if (not-eq $about '') {
                set display = $value'  ('$about')'
            }
            var suffix = ' '
            if (eq $line[0] '+') {
                set suffix = ''
            }
            edit:complex-candidate $value &code-suffix=$suffix &display=$display
        }
    }
}
