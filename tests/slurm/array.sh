#!/usr/bin/env bash
# Labels recordings in a Slurm array, on a temporary Slurm installation of one node, and compares the merged result
# with a run without Slurm.
#
#   tests/slurm/array.sh GLOVEBOX WORK          WORK is emptied
#
# Needs slurm-wlm and munge, and root, because Slurm starts jobs as their user. Skipped with a message without them.
set -euo pipefail
glovebox=$1
work=$2
PATH=$PATH:/usr/sbin
skip() { echo "slurm: skipped: $*" >&2; exit 77; }
for tool in slurmctld slurmd sbatch munged; do command -v $tool >/dev/null || skip "$tool is not here"; done
[ "$(id -u)" -eq 0 ] || skip "only root can start a Slurm node"
rm -rf "$work"
mkdir -p "$work/munge" "$work/state" "$work/spool"
work=$(cd "$work" && pwd)
node=$(hostname -s)
cd "$work"

# munged authenticates callers and requires folders that only its user can write; a socket's path has at most 107 bytes.
run=$(mktemp -d /tmp/slurm.XXXXXX)
chmod 755 "$run"
daemons=()
finish() {
    [ ${#daemons[@]} -eq 0 ] || kill "${daemons[@]}" 2>/dev/null || true
    wait 2>/dev/null || true
    rm -rf "$run"
}
trap finish EXIT
head -c 1024 /dev/urandom >"$run/key"
chmod 400 "$run/key"
munged --foreground --force --key-file="$run/key" --socket="$run/socket" --pid-file="$run/munged.pid" \
    --log-file="$run/munged.log" --seed-file="$run/seed" >munge.log 2>&1 &
daemons+=($!)

# Ports derived from the number of this process.
port=$((20000 + $$ % 20000))
cat >slurm.conf <<CONF
ClusterName=try
SlurmctldHost=$node(127.0.0.1)
SlurmctldPort=$port
SlurmdPort=$((port + 1))
SlurmUser=root
AuthType=auth/munge
AuthInfo=socket=$run/socket
CredType=cred/munge
StateSaveLocation=$work/state
SlurmdSpoolDir=$work/spool
SlurmctldPidFile=$run/slurmctld.pid
SlurmdPidFile=$run/slurmd.pid
SlurmctldLogFile=$work/slurmctld.log
SlurmdLogFile=$work/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
MpiDefault=none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
JobAcctGatherType=jobacct_gather/none
SchedulerParameters=sched_interval=1,batch_sched_delay=0
NodeName=$node NodeAddr=127.0.0.1 CPUs=$(nproc)
PartitionName=all Nodes=ALL Default=YES MaxTime=10
CONF
export SLURM_CONF=$work/slurm.conf
for _ in $(seq 50); do [ -S "$run/socket" ] && break; sleep 0.1; done
slurmctld -D -c >slurmctld.out 2>&1 &
daemons+=($!)
slurmd -D -c >slurmd.out 2>&1 &
daemons+=($!)
for _ in $(seq 100); do
    sinfo --noheader --format=%t 2>/dev/null | grep idle >/dev/null && break
    sleep 0.2
done
sinfo --noheader --format=%t | grep idle >/dev/null || { tail -5 slurm*.log slurm*.out >&2; echo "slurm: no node came up" >&2; exit 1; }

recordings="flick grasp type lift"
echo "#!/bin/sh
exec '$glovebox' \"\$@\"" >glovebox && chmod +x glovebox
PATH=$work:$PATH
sbatch --wait --quiet --array=1-3 --wrap "glovebox label $recordings -o labels.csv --shard \$SLURM_ARRAY_TASK_ID/3" ||
    { cat slurm-*.out >&2; echo "slurm: the array failed" >&2; exit 1; }
[ "$(ls slurm-*_[123].out | wc -l)" -eq 3 ] || { echo "slurm: three tasks were expected" >&2; exit 1; }
glovebox label --merge -o labels.csv
glovebox label $recordings -o one.csv >/dev/null
cmp labels.csv one.csv
cmp labels.csv.card.json one.csv.card.json
echo "slurm: an array of 3 wrote what one machine writes"
