import { invalid } from '../../common/errors.ts';
import { type CheckForm, type Evidence, type LinkName, renamed } from '../../common/forms/check.ts';
import { duration } from '../../common/forms/duration.ts';
import { portsOf } from '../../emulators/recorded-node.ts';
import type { LinkRecord, RecordView } from '../../projections/records.ts';
import type { LabContext } from '../context.ts';

/** What a look at something found. `holds` null: nobody can say now. `text`: a sentence. */
export interface Finding {
  holds: boolean | null;
  text: string;
  evidence: Evidence;
}

const EVERY_MS = 1_000;
/** No look follows another one sooner. Milliseconds. */
const LEAST_MS = 50;

export interface Times {
  first: number;
  every: number;
  /** Since the start of the run: when it is looked at no more, and until when it need not hold yet. */
  end: number;
  deadline: number;
  /** Once met it is not looked at again. */
  isOnce: boolean;
}

const ms = (given: string | number | undefined): number | null => (given === undefined ? null : duration.parse(given));

export const timesOf = (check: CheckForm): Times => {
  const first = ms(check.first) ?? 0;
  const lasts = ms(check.for);
  const before = ms(check.before);
  return {
    first,
    every: Math.max(LEAST_MS, ms(check.every) ?? EVERY_MS),
    end: lasts === null ? Infinity : first + lasts,
    deadline: ms(check.within) ?? before ?? 0,
    isOnce: before !== null || check.capture?.is === 'seen',
  };
};

/** What a finding means for a check; null: nothing new. `is_met` undefined: it has no verdict yet. */
export const verdictOf = (
  { deadline }: Pick<Times, 'deadline'>,
  is_met: boolean | undefined,
  { holds }: Finding,
  afterMs: number,
): 'met' | 'broken' | null => {
  if (holds === true) return is_met === true ? null : 'met';
  if (is_met === undefined) return afterMs < deadline || (holds === null && deadline === 0) ? null : 'broken';
  return holds === false && is_met ? 'broken' : null;
};

/** What no look can change any more. */
export const isSettled = (check: CheckForm, { isOnce }: Times, is_met: boolean | undefined): boolean =>
  (isOnce && is_met === true) || (check.capture?.is === 'never' && is_met === false);

const wrong = (field: string, problem: string) => invalid(`${field} ${problem}`, { errors: [{ field, problem }] });

/** A check of a request with the ids of what it names, as it stands in a record. Throws what names the field. */
export const checkOf = (
  context: Pick<LabContext, 'kinds'>,
  view: RecordView,
  projectId: string,
  form: CheckForm,
): CheckForm => {
  const node = (name: string): string => {
    const found = nodeIn(view, projectId, name);
    if (found === null) throw wrong('node', `must be a node of this project, which ${name} is not`);
    return found;
  };
  const link = (given: LinkName): LinkName => {
    const found = linkIn(context, view, projectId, given);
    if (found === undefined)
      throw wrong('link', `must be a link of this project, which ${[given].flat().join(' – ')} is not`);
    return found.link_id;
  };
  return renamed(form, { node, link });
};

const nodeIn = (view: RecordView, projectId: string, name: string): string | null =>
  view.get('node', name)?.project_id === projectId ? name : (view.named(projectId, name)[0]?.node_id ?? null);

/** By its id or by its ends: nodes, with the port behind a colon where they have several links. */
const linkIn = (
  { kinds }: Pick<LabContext, 'kinds'>,
  view: RecordView,
  projectId: string,
  given: LinkName,
): LinkRecord | undefined => {
  if (typeof given === 'string') {
    const link = view.get('link', given);
    return link?.project_id === projectId ? link : undefined;
  }
  const ends = given.map((end) => endOf(view, projectId, end));
  return view.ofProject('link', projectId).find(({ nodes: [a, b] }) => {
    if (a === undefined || b === undefined) return false;
    const fits = (end: LinkRecord['nodes'][number], wanted: End | null | undefined): boolean => {
      if (wanted?.node_id !== end.node_id) return false;
      if (wanted.port === null) return true;
      const record = view.get('node', end.node_id);
      const ports = record === undefined ? [] : portsOf(kinds, record);
      const at = ports.findIndex((p) => p.adapter_number === end.adapter_number && p.port_number === end.port_number);
      const port = ports[at];
      return [String(at), port?.name, port?.short_name, `${end.adapter_number}/${end.port_number}`].includes(
        wanted.port,
      );
    };
    const [one, other] = ends;
    return (fits(a, one) && fits(b, other)) || (fits(a, other) && fits(b, one));
  });
};

interface End {
  node_id: string;
  port: string | null;
}

const endOf = (view: RecordView, projectId: string, end: string): End | null => {
  const whole = nodeIn(view, projectId, end);
  if (whole !== null) return { node_id: whole, port: null };
  const at = end.lastIndexOf(':');
  const node_id = at < 0 ? null : nodeIn(view, projectId, end.slice(0, at));
  return node_id === null ? null : { node_id, port: end.slice(at + 1) };
};
