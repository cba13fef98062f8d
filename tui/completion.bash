# Bash completion of tensordbg: its options, their values, the first word of a command, files.

_tensordbg()
{
	local options='-c --command= -x --script= -i --interactive --echo --ui= --screen= --width=
		--format= --color= --keep-going --follow --poll --no-mouse --slow --ascii --plain --stacks= --graph= --run-metadata=
		--op-log= --diff= --worker= --as= --max-temp= --source-map= --recorder= --no-cache -V --version -h --help'
	local commands='alias back bind close config cfg diff doctor dot drift du eval ev exit
		quit export explain filter focus gaps graph grid help h kernels kt layout list_alerts la
		list_executions lx list_graphs lg list_inputs li list_outputs lo list_profile lp
		list_source ls list_tensors lt marks memory messages node_info ni origins overlap
		overview picture pipeline pprof print_feed pf print_source ps print_tensor pt resize run
		r run_info ri runs scopes split step steps tagged tfprof timeline unalias unbind version
		ver zoom'
	local recorders='session hook estimator keras v2 profile pytorch jax numpy list'
	local word=${COMP_WORDS[COMP_CWORD]} option=${COMP_WORDS[COMP_CWORD-1]}

	# "--format=js" comes as three words.
	if [[ $word == = ]]; then
		word=
	elif [[ $option == = ]]; then
		option=${COMP_WORDS[COMP_CWORD-2]}
	fi
	case $option in
	-c|--command)
		mapfile -t COMPREPLY < <(compgen -W "$commands" -- "$word") ;;
	-x|--script|--stacks|--graph|--run-metadata|--op-log|--diff)
		compopt -o filenames 2>/dev/null
		mapfile -t COMPREPLY < <(compgen -f -- "$word") ;;
	--ui)
		mapfile -t COMPREPLY < <(compgen -W 'curses line auto' -- "$word") ;;
	--screen)
		mapfile -t COMPREPLY < <(compgen -W 'modern tfdbg' -- "$word") ;;
	--format)
		mapfile -t COMPREPLY < <(compgen -W 'text json csv doc' -- "$word") ;;
	--color)
		mapfile -t COMPREPLY < <(compgen -W 'auto always never' -- "$word") ;;
	--recorder)
		mapfile -t COMPREPLY < <(compgen -W "$recorders" -- "$word") ;;
	--as)
		mapfile -t COMPREPLY < <(compgen -W 'bfloat16 float16 float8_e5m2 float8_e4m3fn' -- "$word") ;;
	--width|--worker|--max-temp|--shard)
		COMPREPLY=() ;;
	*)
		if [[ $word == -* ]]; then
			case ${COMP_WORDS[1]} in
			summarize)
				options='-o --output= --shard= --worker= -h --help' ;;
			merge)
				options='-o --output= -h --help' ;;
			esac
			mapfile -t COMPREPLY < <(compgen -W "$options" -- "$word")
			[[ ${COMPREPLY[0]-} == *= ]] && compopt -o nospace 2>/dev/null
		else
			compopt -o filenames 2>/dev/null
			mapfile -t COMPREPLY < <(compgen -f -- "$word"
				((COMP_CWORD > 1)) || compgen -W 'summarize merge' -- "$word")
		fi ;;
	esac
	return 0
}

complete -F _tensordbg tensordbg
