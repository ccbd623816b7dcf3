import { notFound } from '../common/errors.ts';
import type { DrawingRecord, LinkRecord, NodeRecord, ProjectRecord, RecordView } from '../projections/records.ts';

/** Committed records, or a 404. */
export interface Lookups {
  project(projectId: string): ProjectRecord;
  /** `kind`: a node of another kind is not there either. */
  node(projectId: string, nodeId: string, kind?: string): NodeRecord;
  link(projectId: string, linkId: string): LinkRecord;
  drawing(projectId: string, drawingId: string): DrawingRecord;
}

export const createLookups = (records: RecordView): Lookups => {
  const project = (id: string): ProjectRecord => {
    const found = records.get('project', id);
    if (!found) throw notFound('Project', id);
    return found;
  };
  const inProject =
    <C extends 'node' | 'link' | 'drawing'>(collection: C, what: string) =>
    (projectId: string, id: string) => {
      project(projectId);
      const found = records.get(collection, id);
      if (found?.project_id !== projectId) throw notFound(what, id);
      return found;
    };
  const node = inProject('node', 'Node');
  return {
    project,
    node: (projectId, nodeId, kind) => {
      const found = node(projectId, nodeId);
      if (kind !== undefined && found.kind !== kind) throw notFound('Node', nodeId);
      return found;
    },
    link: inProject('link', 'Link'),
    drawing: inProject('drawing', 'Drawing'),
  };
};
