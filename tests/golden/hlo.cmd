# testdata/hlo/gpu_like.txt
lg
lg --ops -g main.9
lg --ops --skip 3 --max 2
lg -s ops -r
lg --ops -s op -l 2 --columns root,op
lg -g nothing
ni fusion
ni -a while.7
ni custom-call.1
li -c -d 2 neg
lo fusion
dot conditional.1
ls
