import { knownInRecords, withInitial } from '../../../model/derive.ts';
import { PROJECT } from '../../../model/project.ts';
import type { ProjectRecord } from '../../../projections/records.ts';

/** `asExisting`: for programs that know the existing server. */
export const projectToJson = (p: ProjectRecord, asExisting: boolean) => ({
  project_id: p.project_id,
  name: p.name,
  filename: p.filename,
  path: p.path,
  // Clients ask for nodes as soon as they read `opened`, so a project that is still opening is not.
  status: p.state === 'opened' || p.state === 'closing' || p.state === 'restoring' ? 'opened' : 'closed',
  ...withInitial(asExisting ? knownInRecords(PROJECT) : PROJECT, p),
});

export const computeProjectToJson = (p: ProjectRecord) => ({
  project_id: p.project_id,
  name: p.name,
  variables: p.variables,
});
