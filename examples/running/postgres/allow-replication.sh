#!/usr/bin/env bash
# Runs once in a new db1: lets db2 follow.
set -euo pipefail
echo "host replication $POSTGRES_USER samenet scram-sha-256" >>"$PGDATA/pg_hba.conf"
