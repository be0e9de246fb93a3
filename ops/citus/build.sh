#!/bin/sh
# Builds Citus from its public source against the PostgreSQL of pg_config and installs it there.
set -eu

usage() {
  cat <<'HELP'
usage: ops/citus/build.sh [--source URL_OR_FOLDER] [--commit COMMIT] [--work FOLDER] [--pg-config FILE] [--jobs N]

  --source      git repository of Citus: an address or a folder (default: the public one)
  --commit      what is built (default: the commit of version 13.2.2)
  --work        where it is checked out and built (default: ./citus-build)
  --pg-config   the PostgreSQL it is built for, version 15, 16 or 17
                (default: /usr/lib/postgresql/15/bin/pg_config)
  --jobs        compilers at once (default: 2)

What is built already is not built again: run it once more after an interruption.
Installing writes into the folders of PostgreSQL, which takes the rights of their owner.
HELP
}

source=https://github.com/citusdata/citus.git
commit=cc91f4c29cc358f66e70eb1ef204a45999933926
work=citus-build
pg_config=/usr/lib/postgresql/15/bin/pg_config
jobs=2

while [ $# -gt 0 ]; do
  case "$1" in
    --help | -h) usage; exit 0 ;;
    --source | --commit | --work | --pg-config | --jobs)
      [ $# -ge 2 ] || { echo "$1 needs a value" >&2; exit 2; }
      case "$1" in
        --source) source=$2 ;;
        --commit) commit=$2 ;;
        --work) work=$2 ;;
        --pg-config) pg_config=$2 ;;
        --jobs) jobs=$2 ;;
      esac
      shift 2 ;;
    *) echo "unknown argument $1; see --help" >&2; exit 2 ;;
  esac
done

[ -x "$pg_config" ] || { echo "no pg_config at $pg_config: install postgresql-server-dev-15, or name yours with --pg-config" >&2; exit 1; }

if [ ! -d "$work/.git" ]; then
  git clone --quiet --no-checkout "$source" "$work"
fi
git -C "$work" checkout --quiet --force "$commit"

# Citus brings this function along for PostgreSQL 15; where the server's own headers declare it, it is there twice.
compat=src/include/pg_version_compat.h
if grep -qrs 'have_createdb_privilege' "$("$pg_config" --includedir-server)/commands"; then
  awk '
    { lines[NR] = $0 }
    /^have_createdb_privilege\(void\)/ { from = NR - 1 }
    from && !until && /^}/ { until = NR }
    END { for (i = 1; i <= NR; i++) if (!from || i < from || i > until) print lines[i] }
  ' "$work/$compat" > "$work/$compat.new"
  mv "$work/$compat.new" "$work/$compat"
fi

cd "$work"
[ -f Makefile.global ] || PG_CONFIG="$pg_config" ./configure --quiet --without-libcurl
# Without the bitcode that only just-in-time compilation of PostgreSQL reads: half of the time.
make --silent -j"$jobs" with_llvm=no extension
make --silent with_llvm=no install
echo "Citus $(git describe --tags --always) is installed for $("$pg_config" --version)"
