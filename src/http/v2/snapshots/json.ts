import type { SnapshotRecord } from '../../../projections/records.ts';

export const snapshotToJson = (s: SnapshotRecord) => {
  const taken = new Date(s.created_at * 1000).toISOString();
  return {
    snapshot_id: s.snapshot_id,
    project_id: s.project_id,
    name: s.name,
    filename: s.snapshot_id,
    description: `Snapshot '${s.name}' taken on ${taken.slice(0, 10)} at ${taken.slice(11, 19)} UTC`,
    created_at: s.created_at,
  };
};
