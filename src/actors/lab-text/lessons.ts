import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { TopologError } from '../../common/errors.ts';
import type { CheckRecord, StageForm } from '../../common/forms/check.ts';
import type { WeatherEntry } from '../../events/fields.ts';
import { lessonsOf } from '../../files/lab/from-records.ts';
import type { ProblemAt } from '../../files/lab/model.ts';
import { Problems } from '../../files/lab/problems.ts';
import { nameOf } from '../../projections/check-names.ts';
import type { RecordView } from '../../projections/records.ts';
import { checkOf } from '../check/decide.ts';
import { checkExpressions } from '../check/expressions.ts';
import { realChanges } from '../runtime/decision.ts';
import { entriesOf } from '../weather/entries.ts';
import type { Work } from './changes.ts';
import type { Given } from './steps.ts';
import { atPlace } from './targets.ts';

/** Checks and stages, held against those that there are. A check that is as it was keeps its id, and so does one of the same name. */
export const addLessons = (given: Given, view: RecordView, work: Work): void => {
  const { context, lab, project, projectId, wrong } = given;
  const before = { checks: project?.checks ?? [], stages: project?.stages ?? [] };
  const left = [...before.checks];
  const problems = new Problems();
  const list = lab.checks?.flatMap((form, i): CheckRecord[] => {
    try {
      const check = checkOf(context, view, projectId, form);
      const same = left.findIndex(({ check_id: _, ...one }) => isDeepStrictEqual(one, check));
      const named = same >= 0 ? same : left.findIndex(({ name }) => name !== undefined && name === check.name);
      const [known] = named < 0 ? [] : left.splice(named, 1);
      return [{ check_id: known?.check_id ?? randomUUID(), ...check }];
    } catch (error) {
      problems.add(atPlace(wrong, ['checks', i], error));
      return [];
    }
  });
  const names = problems.isEmpty ? (list ?? before.checks).map((check) => nameOf(view, check)) : undefined;
  for (const error of unknownInStages([...(lab.stages ?? []).entries()], names, wrong)) problems.add(error);
  problems.refuse();
  work.lessons = realChanges(before, {
    ...(list === undefined ? {} : { checks: list }),
    ...(lab.stages === undefined ? {} : { stages: lab.stages }),
  });
  tell(given, view, work, { before, after: work.lessons });
};

/** A stage with a name that there is not could never be passed. `checks` undefined: what they are called is not known. */
export const unknownInStages = (
  stages: readonly (readonly [number, StageForm])[],
  checks: readonly string[] | undefined,
  wrong: ProblemAt,
): TopologError[] => {
  const known = { ...(checks === undefined ? {} : { checks }), unlocks: stages.map(([, { name }]) => name) };
  return stages.flatMap(([i, stage]) =>
    (Object.entries(known) as ['checks' | 'unlocks', string[]][]).flatMap(([key, of]) =>
      [...(stage[key] ?? []).entries()].flatMap(([j, name]) => {
        if (of.includes(name)) return [];
        const what = key === 'checks' ? 'check of this lab' : 'stage';
        const problem = `names ${name}, which is no ${what}; there are ${of.join(', ') || 'none'}`;
        return [wrong(['stages', i, key, j], problem)];
      }),
    ),
  );
};

/** Checks the expressions of checks: filters of frames, which tshark reads, and patterns of consoles. */
export const tryExpressions = async ({ lab, wrong }: Given): Promise<void> => {
  for (const [i, form] of (lab.checks ?? []).entries())
    await checkExpressions(form).catch((error: unknown) => {
      throw atPlace(wrong, ['checks', i], error);
    });
};

/** Weather, held against that which there is. */
export const addWeather = async (given: Given, pending: RecordView, work: Work): Promise<void> => {
  const { context, lab, project, projectId, wrong } = given;
  const { kinds } = context;
  if (lab.weather === undefined) return;
  const before = { weather: project?.weather ?? [] };
  const weather: WeatherEntry[] = [];
  const problems = new Problems();
  for (const [i, form] of lab.weather.entries()) {
    const left = before.weather.filter((one) => !weather.includes(one));
    try {
      weather.push(...(await entriesOf({ pending, kinds }, projectId, [form], left)));
    } catch (error) {
      problems.add(atPlace(wrong, ['weather', i], error));
    }
  }
  problems.refuse();
  const changed = realChanges(before, { weather });
  Object.assign(work.lessons, changed);
  tell(given, pending, work, { before, after: changed });
};

type Lessons = Work['lessons'];
interface Changed {
  before: Lessons;
  after: Lessons;
}

/** As the text has them: nodes by name, links by their ends. */
const tell = (
  { context, project, projectId }: Given,
  view: RecordView,
  work: Work,
  { before, after }: Changed,
): void => {
  const said = (lessons: Lessons, from: RecordView): ReturnType<typeof lessonsOf> =>
    lessonsOf({
      project: lessons,
      nodes: from.ofProject('node', projectId),
      links: from.ofProject('link', projectId),
      kinds: context.kinds,
    });
  const [was, is] = [said(before, context.pending), said(after, view)];
  for (const field of Object.keys(after) as (keyof Lessons)[]) {
    const one = { field, from: was[field] ?? [], to: is[field] ?? [] };
    const known = work.changes.find(({ type }) => type === 'project');
    if (known !== undefined) known.fields.push(one);
    else {
      const about = { type: 'project', name: project?.name ?? '', path: ['settings'], id: null } as const;
      work.changes.push({ ...about, action: 'change', compute_id: null, restart: false, fields: [one] });
    }
  }
};
