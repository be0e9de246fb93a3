#!/bin/sh
# Starts or stops a small Citus cluster on this machine: a coordinator and two workers, for tests and trials.
set -eu

usage() {
  cat <<'HELP'
usage: ops/citus/start.sh start [--folder FOLDER] [--ports COORDINATOR,WORKER,WORKER] [--bin FOLDER] [--user NAME]
       ops/citus/start.sh stop  [--folder FOLDER] [--bin FOLDER] [--user NAME]

  --folder   where the three data folders are kept (default: /var/tmp/tmds-citus)
  --ports    default: three free ones
  --bin      the programs of a PostgreSQL that has Citus (default: /usr/lib/postgresql/15/bin)
  --user     who runs them if root calls this; PostgreSQL refuses to run as root (default: postgres)

start makes what is missing, starts the three servers, and prints the address for TMDS_TEST_CITUS_URL. A cluster that
was started before is started again with its data and its ports. stop ends the servers and keeps the data.

Every local user may connect without a password: use it for nothing that is worth keeping.
HELP
}

[ $# -gt 0 ] || { usage >&2; exit 2; }
action=$1
shift
case "$action" in
  --help | -h) usage; exit 0 ;;
  start | stop) ;;
  *) echo "unknown action $action; see --help" >&2; exit 2 ;;
esac

folder=/var/tmp/tmds-citus
ports=
bin=/usr/lib/postgresql/15/bin
user=postgres

while [ $# -gt 0 ]; do
  case "$1" in
    --help | -h) usage; exit 0 ;;
    --folder | --ports | --bin | --user)
      [ $# -ge 2 ] || { echo "$1 needs a value" >&2; exit 2; }
      case "$1" in
        --folder) folder=$2 ;;
        --ports) ports=$2 ;;
        --bin) bin=$2 ;;
        --user) user=$2 ;;
      esac
      shift 2 ;;
    *) echo "unknown argument $1; see --help" >&2; exit 2 ;;
  esac
done

[ -x "$bin/pg_ctl" ] || { echo "no pg_ctl in $bin: install PostgreSQL, or name its folder with --bin" >&2; exit 1; }

as_user() {
  if [ "$(id -u)" -eq 0 ]; then
    # Its home, where the driver looks for certificates, is not root's home.
    HOME=$folder setpriv --reuid "$user" --regid "$user" --init-groups -- "$@"
  else
    "$@"
  fi
}

nodes='coordinator worker1 worker2'

is_running() {
  [ -d "$folder/$1" ] && as_user "$bin/pg_ctl" --pgdata "$folder/$1" status > /dev/null 2>&1
}

if [ "$action" = stop ]; then
  for node in $nodes; do
    if is_running "$node"; then as_user "$bin/pg_ctl" --pgdata "$folder/$node" --mode fast --wait stop > /dev/null; fi
  done
  exit 0
fi

# The system names a port when 0 is bound. It is free again once all three are named.
free_ports() {
  node --eval '
    const { createServer } = require("node:net");
    const servers = [0, 1, 2].map(() => createServer());
    Promise.all(servers.map((server) => new Promise((resolve) => server.listen(0, "127.0.0.1", resolve)))).then(() => {
      console.log(servers.map((server) => server.address().port).join(","));
      for (const server of servers) server.close();
    });'
}

make_node() {
  as_user "$bin/initdb" --pgdata "$folder/$1" --username postgres --auth trust --encoding UTF8 --locale C.UTF-8 \
    > "$folder/initdb.log"
  as_user tee -a "$folder/$1/postgresql.conf" > /dev/null <<SETTINGS
port = $2
listen_addresses = '127.0.0.1'
unix_socket_directories = '$folder'
shared_preload_libraries = 'citus'
max_connections = 300
max_prepared_transactions = 300
# One process of Citus for each database and node.
max_worker_processes = 100
timezone = 'UTC'
# A machine that stops takes the data with it. Fine for trials, and much faster.
fsync = off
full_page_writes = off
# Tables of a test have no statistics, so small statements seem dear enough to be compiled, which takes seconds.
jit = off
citus.shard_count = 4
# On the loopback, and so that a test can hold what the nodes say to each other.
citus.node_conninfo = 'sslmode=disable'
citus.node_connection_timeout = 3000
SETTINGS
}

if [ ! -d "$folder" ]; then
  mkdir -p "$folder"
  if [ "$(id -u)" -eq 0 ]; then chown "$user" "$folder"; fi
fi
if [ ! -f "$folder/ports" ]; then
  [ -n "$ports" ] || ports=$(free_ports)
  echo "$ports" | as_user tee "$folder/ports" > /dev/null
fi
# The processes of a server that was killed may take a moment to end, and none can start before.
start_node() {
  tries=1
  until as_user "$bin/pg_ctl" --pgdata "$folder/$1" --log "$folder/$1.log" --wait start > /dev/null 2>&1; do
    [ "$tries" -lt 10 ] || { echo "$1 does not start; see $folder/$1.log" >&2; exit 1; }
    tries=$((tries + 1))
    sleep 1
  done
}

rest=$(cat "$folder/ports")
for node in $nodes; do
  port=${rest%%,*}
  rest=${rest#*,}
  [ -d "$folder/$node" ] || make_node "$node" "$port"
  is_running "$node" || start_node "$node"
done

rest=$(cat "$folder/ports")
coordinator=${rest%%,*}
rest=${rest#*,}
# Databases of tests are made on all three nodes; the database postgres of the coordinator knows the workers' addresses.
for port in "$coordinator" "${rest%,*}" "${rest#*,}"; do
  as_user "$bin/psql" --quiet --no-psqlrc --host 127.0.0.1 --port "$port" --username postgres --dbname postgres \
    --command "set client_min_messages = warning; create extension if not exists citus"
done
as_user "$bin/psql" --quiet --no-psqlrc --tuples-only --output /dev/null --host 127.0.0.1 --port "$coordinator" \
  --username postgres --dbname postgres --set ON_ERROR_STOP=1 \
  --command "select citus_set_coordinator_host('127.0.0.1', $coordinator)" \
  --command "select citus_add_node('127.0.0.1', ${rest%,*}), citus_add_node('127.0.0.1', ${rest#*,})"

echo "postgresql://postgres@127.0.0.1:$coordinator/postgres"
