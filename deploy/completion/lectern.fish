# fish completion of lectern
function __lectern
    set -l tokens (commandline -opc)
    for line in (lectern __complete -- $tokens[2..-1] 2>/dev/null)
        switch $line
            case :file
                __fish_complete_path (commandline -ct)
            case :folder
                __fish_complete_directories (commandline -ct)
            case '*'
                echo $line
        end
    end
end
complete -c lectern -f -a '(__lectern)'
