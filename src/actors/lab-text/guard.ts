import { isDeepStrictEqual } from 'node:util';
import { conflict } from '../../common/errors.ts';
import { drawingFields, linkFields, nodeFields } from '../../events/fields.ts';
import type { DrawingRecord, LinkRecord, NodeRecord, ProjectRecord, RecordView } from '../../projections/records.ts';
import type { BatchStep } from '../batch/interface.ts';

type Kept = NodeRecord | LinkRecord | DrawingRecord;

/** Fields that change by themselves when a node stops. */
const OF_A_RUN = new Set(['console', 'failure', 'properties']);

/** Fields that a person sets. */
const SAID = Object.fromEntries(
  Object.entries({ node: nodeFields, link: linkFields, drawing: drawingFields }).map(([type, { shape }]) => [
    type,
    Object.keys(shape).filter((key) => !OF_A_RUN.has(key)),
  ]),
) as Record<BatchStep['type'], string[]>;

/**
 * Looks at a lab before it is planned what is removed of it. Answered is what refuses, later, to remove what somebody has changed meanwhile,
 * or linked: nodes may take long to stop.
 */
export const guardOf = (view: RecordView, project: ProjectRecord | null): ((steps: readonly BatchStep[]) => void) => {
  const id = project?.project_id ?? '';
  const seen = new Map<string, Kept>([
    ...view.ofProject('node', id).map((one) => [one.node_id, one] as const),
    ...view.ofProject('link', id).map((one) => [one.link_id, one] as const),
    ...view.ofProject('drawing', id).map((one) => [one.drawing_id, one] as const),
  ]);
  return (steps) => {
    for (const step of steps) {
      if (step.action !== 'delete') continue;
      const [before, now] = [seen.get(step.id), view.get(step.type, step.id)];
      const isLinked = step.type === 'node' && view.linksOf(step.id).some(({ link_id }) => !seen.has(link_id));
      if (now === undefined || before === undefined || (!isLinked && isSame(step.type, before, now))) continue;
      const what = 'name' in now ? now.name : `a ${step.type}`;
      throw conflict(`${what} would be removed, and somebody has just changed it: look at the plan again`);
    }
  };
};

const isSame = (type: BatchStep['type'], before: Kept, now: Kept): boolean =>
  before === now || SAID[type].every((key) => isDeepStrictEqual(before[key as keyof Kept], now[key as keyof Kept]));
