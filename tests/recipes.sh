#!/bin/sh
# tests/recipes.sh [NAME...]: the ways of tensordbg-summary(7) to share the work among machines, each with its tool on this
# one machine: GNU parallel, Slurm, Dask. Eight shards of a dump of TENSORS tensors (100000); one of them is
# killed in the middle and runs again. What comes out has to be, byte for byte, what one process writes. A
# recipe whose tool is missing is skipped, and says why. Not a part of `make test`.
set -u

: "${B:=build}" "${TENSORS:=100000}" "${PYTHON:=python3}"
cd "$(dirname "$0")/.." || exit 1
here=$PWD
case $B in
/*) ;;
*) B="$here/$B" ;;
esac
scratch=$(mktemp -d)
ended=
trap 'exit 1' INT TERM
trap '[ -z "$ended" ] || $ended; rm -rf "$scratch"' EXIT
export PATH="$B:$PATH"
passed=0 failed=0 skipped=0

fine() { passed=$((passed + 1)); }
wrong() { failed=$((failed + 1)); echo "$*"; }
skip() { skipped=$((skipped + 1)); echo "$1: skipped: $2"; }
has() { command -v "$1" >/dev/null; }

# shard K: summarizes shard K of 8 here. The first time, shard 3 is killed once it has read a megabyte.
cat >"$scratch/shard" <<'END'
#!/bin/sh
if [ "$1" = 3 ] && mkdir killed 2>/dev/null; then
	tensordbg summarize "$DUMP" -o part.3.sum --shard=3/8 --worker=one &
	until [ "$(awk '/^rchar/ { print $2 }' /proc/$!/io)" -gt 1000000 ]; do :; done
	kill -9 $!
	wait $!
	exit
fi
exec tensordbg summarize "$DUMP" -o "part.$1.sum" --shard="$1/8" --worker=one
END
chmod +x "$scratch/shard"

# here_in NAME: an empty directory for a recipe.
here_in() {
	mkdir "$scratch/$1"
	cd "$scratch/$1" || exit 1
	cp ../shard .
}

# is_one NAME: the parts, merged, are the one.
is_one() {
	tensordbg merge part.*.sum -o all.sum || wrong "$1: merge failed"
	if [ ! -d killed ]; then
		wrong "$1: no shard was killed"
	elif cmp -s all.sum ../one.sum; then
		fine
	else
		wrong "$1: the parts are not the one"
	fi
	cd "$here" || exit 1
}

gnu_parallel() {
	has parallel || { skip parallel "no GNU parallel (Debian: parallel)"; return; }
	here_in parallel
	parallel --will-cite -j 4 --retries 3 ./shard ::: 1 2 3 4 5 6 7 8 2>/dev/null
	is_one parallel
}

# A cluster of this machine alone, with a key of its own, as whoever runs this.
start_slurm() {
	host=$(hostname -s)
	mkdir state spool
	head -c 1024 /dev/urandom >key
	chmod 400 key
	munged --key-file="$PWD/key" --socket="$PWD/munge" --pid-file="$PWD/munged.pid" \
		--log-file="$PWD/munged.log" --seed-file="$PWD/seed" --force 2>/dev/null
	cat >slurm.conf <<END
ClusterName=recipe
SlurmctldHost=$host(127.0.0.1)
SlurmctldPort=16817
SlurmdPort=16818
AuthInfo=socket=$PWD/munge
CredType=cred/munge
SlurmUser=$(id -un)
SlurmdUser=$(id -un)
StateSaveLocation=$PWD/state
SlurmdSpoolDir=$PWD/spool
SlurmctldPidFile=$PWD/slurmctld.pid
SlurmdPidFile=$PWD/slurmd.pid
SlurmctldLogFile=$PWD/slurmctld.log
SlurmdLogFile=$PWD/slurmd.log
SlurmdParameters=config_overrides
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SwitchType=switch/none
MpiDefault=none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
ReturnToService=2
NodeName=$host NodeAddr=127.0.0.1 CPUs=4 State=UNKNOWN
PartitionName=all Nodes=$host Default=YES MaxTime=INFINITE State=UP
END
	export SLURM_CONF="$PWD/slurm.conf"
	ended=stop_slurm
	slurmctld && slurmd
	for _ in $(seq 300); do
		[ "$(sinfo -h -o %t 2>/dev/null)" = idle ] && return 0
		sleep 1
	done
	return 1
}

stop_slurm() {
	for name in slurmd slurmctld munged; do
		[ ! -f "$scratch/slurm/$name.pid" ] || kill "$(cat "$scratch/slurm/$name.pid")" 2>/dev/null
	done
	ended=
}

slurm() {
	for tool in sbatch srun slurmctld slurmd munged; do
		has $tool || { skip slurm "no $tool (Debian: slurmctld slurmd slurm-client munge)"; return; }
	done
	here_in slurm
	if ! start_slurm; then
		skip slurm "its daemons do not start: $(tail -n 1 slurmctld.log slurmd.log 2>/dev/null | tr '\n' ' ')"
		stop_slurm
		cd "$here" || exit 1
		return
	fi
	cat >job <<'END'
#!/bin/sh
exec ./shard "$SLURM_ARRAY_TASK_ID"
END
	sbatch --quiet --wait --output=/dev/null --export=ALL --array=1-8 job
	# A summary is there as a whole or not at all: what is missing runs again.
	missing=$(for k in 1 2 3 4 5 6 7 8; do [ -f "part.$k.sum" ] || echo "$k"; done | paste -sd,)
	[ "$missing" = 3 ] || wrong "slurm: missing are '$missing', not 3"
	sbatch --quiet --wait --output=/dev/null --export=ALL --array="$missing" job
	srun -n 4 sh -c 'tensordbg summarize "$DUMP" -o "srun.$SLURM_PROCID.sum" \
		--shard=$((SLURM_PROCID + 1))/4 --worker=one'
	tensordbg merge srun.*.sum -o srun.sum && cmp -s srun.sum ../one.sum && fine || wrong "srun: not the one"
	stop_slurm
	is_one slurm
}

dask() {
	"$PYTHON" -c 'import distributed' 2>/dev/null ||
		{ skip dask "no Dask in $PYTHON (PyPI: distributed)"; return; }
	here_in dask
	cat >recipe.py <<'END'
import subprocess
from distributed import Client, LocalCluster

def shard(k):
    subprocess.run(["./shard", str(k)], check=True)

if __name__ == "__main__":
    with LocalCluster(n_workers=2, threads_per_worker=2, host="127.0.0.1", dashboard_address=None) as cluster:
        with Client(cluster) as client:
            client.gather(client.map(shard, range(1, 9), retries=2, pure=False))
END
	"$PYTHON" recipe.py 2>log || { wrong "dask failed"; tail -n 3 log; }
	is_one dask
}

"$B/tests/tool_gen_dump" "$scratch/dump" --tensors="$TENSORS" --nodes=20000 --nan=5 --bytes=400 || exit 1
export DUMP="$scratch/dump"
tensordbg summarize "$DUMP" -o "$scratch/one.sum" --worker=one || exit 1
for name in ${*:-gnu_parallel slurm dask}; do
	$name
done
echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" = 0 ]
