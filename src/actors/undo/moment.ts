import { invalid } from '../../common/errors.ts';
import type { RecordView } from '../../projections/records.ts';
import type { LabContext } from '../context.ts';
import type { ObjectAddress } from './interface.ts';
import type { Target } from './plan.ts';

/** What objects are to be as they were in a view: those that are asked for, or all of the lab. */
export const targetsAt = (
  { pending }: LabContext,
  projectId: string,
  then: RecordView,
  objects: readonly ObjectAddress[] | undefined,
): Target[] => {
  const of = (view: RecordView, { type, id }: ObjectAddress): Target['before'] => {
    const record = view.get(type, id);
    return record?.project_id === projectId ? record : null;
  };
  return (objects ?? allOf(projectId, [then, pending])).flatMap((address, index) => {
    const before = of(then, address);
    const after = of(pending, address);
    if (objects !== undefined && before === null && after === null)
      throw invalid(`there was no such ${address.type} at that moment, and there is none`, {
        field: `objects.${index}.id`,
      });
    if (before === null && after === null) return [];
    return [{ ...address, before, after, notKept: [] } as unknown as Target];
  });
};

const allOf = (projectId: string, views: readonly RecordView[]): ObjectAddress[] => {
  const found = new Map<string, ObjectAddress>([[projectId, { type: 'project', id: projectId }]]);
  const add = (type: ObjectAddress['type'], id: string): void => void found.set(id, { type, id });
  for (const view of views) {
    for (const { node_id } of view.ofProject('node', projectId)) add('node', node_id);
    for (const { link_id } of view.ofProject('link', projectId)) add('link', link_id);
    for (const { drawing_id } of view.ofProject('drawing', projectId)) add('drawing', drawing_id);
  }
  return [...found.values()];
};
