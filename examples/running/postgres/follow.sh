#!/usr/bin/env bash
# Runs in db2: copies db1 once and follows it from then on. What db1 answers is on both disks.
# PGDATA: its own directory; PGHOST, PGUSER and PGPASSWORD: those of db1.
set -euo pipefail

if [ ! -s "$PGDATA/PG_VERSION" ]; then
  # A copy that broke off leaves its slot behind.
  until pg_isready -q; do sleep 1; done
  psql -qAtd postgres -c "select pg_drop_replication_slot(slot_name) from pg_replication_slots where slot_name = 'db2'"
  chmod 700 "$PGDATA"
  pg_basebackup -d "application_name=db2" -D "$PGDATA" -X stream -C -S db2 -R -c fast
  # Not before there is one: every commit waits for it from now on.
  psql -qAtd postgres -c "alter system set synchronous_standby_names = 'db2'" -c "select pg_reload_conf()"
fi
unset PGHOST PGUSER PGPASSWORD
exec postgres
