import type { RecordView } from '../projections/records.ts';
import type { Deliveries } from './remote-nodes.ts';

export const createDeliveries = (_config: object, records: () => RecordView): Deliveries => ({
  images: () => Promise.resolve(),
  files: () => Promise.resolve(),
  fetch: () => Promise.resolve(),
  project(projectId) {
    const project = records().get('project', projectId);
    return { name: project?.name ?? projectId, variables: project?.variables ?? null };
  },
});
