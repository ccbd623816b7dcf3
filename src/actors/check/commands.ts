import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { MOST_ITEMS } from '../../common/bounds.ts';
import { conflict, notFound } from '../../common/errors.ts';
import type { CheckRecord } from '../../common/forms/check.ts';
import type { RecordView } from '../../projections/records.ts';
import type { Caller } from '../caller.ts';
import { draft, type LabContext, openProjectOf, projectOf } from '../context.ts';
import { checkExpressions } from './expressions.ts';
import type { Checks } from './checks.ts';
import { checkOf } from './decide.ts';
import type { CheckAddress, CheckCommands } from './interface.ts';

export const checkCommands = (context: LabContext, checks: Checks): CheckCommands => {
  const { pending, log } = context;
  const all = (projectId: string): CheckRecord[] => projectOf(pending, projectId).checks ?? [];
  /** Decided and appended in one tick. */
  const put = async (caller: Caller, project_id: string, list: CheckRecord[]): Promise<void> => {
    if (list.length > MOST_ITEMS)
      throw conflict(`a project can have at most ${MOST_ITEMS} checks`, { limit: MOST_ITEMS });
    const drafts = isDeepStrictEqual(list, all(project_id))
      ? []
      : [draft(caller, project_id, 'project.updated', { project_id, changes: { checks: list } })];
    await log.append(drafts);
  };
  return {
    async createCheck(caller, projectId, form) {
      await checkExpressions(form);
      const list = all(projectId);
      const check = { ...checkOf(context, pending, projectId, form), check_id: randomUUID() };
      await put(caller, projectId, [...list, check]);
      return check;
    },
    async updateCheck(caller, at, form) {
      foundCheck(pending, at);
      await checkExpressions(form);
      foundCheck(pending, at);
      const check = { ...checkOf(context, pending, at.project_id, form), check_id: at.check_id };
      const list = all(at.project_id).map((one) => (one.check_id === at.check_id ? check : one));
      await put(caller, at.project_id, list);
      return check;
    },
    async deleteCheck(caller, at) {
      foundCheck(pending, at);
      const list = all(at.project_id).filter(({ check_id }) => check_id !== at.check_id);
      await put(caller, at.project_id, list);
    },
    async lookAtCheck(at) {
      openProjectOf(context.committed, at.project_id);
      return checks.look(at.project_id, foundCheck(context.committed, at));
    },
    async tryReach(projectId, reach) {
      openProjectOf(context.committed, projectId);
      const check_id = randomUUID();
      return checks.look(projectId, { ...checkOf(context, context.committed, projectId, { reach }), check_id });
    },
    lastLookAt: ({ project_id, check_id }) => checks.lastLook(project_id, check_id),
  };
};

/** Throws where there is none. */
const foundCheck = (view: RecordView, { project_id, check_id }: CheckAddress): CheckRecord => {
  const found = projectOf(view, project_id).checks?.find((check) => check.check_id === check_id);
  if (found === undefined) throw notFound('Check', check_id);
  return found;
};
