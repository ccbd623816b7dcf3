import { isIP } from 'node:net';
import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { LENGTHS, MOST_ITEMS, MOST_PING_DATA } from '../bounds.ts';
import { DURATION, writtenDuration } from './duration.ts';
import { isJsonPath } from './json-path.ts';
import { JSON_RULES, part } from './property-text.ts';

/**
 * A check: a condition that must hold in a lab, and when it is probed. A lab's text and a project's record have the same form; the text has
 * names of nodes and ends of links, the record ids. Durations stay as they were written.
 */

const line = z.string().min(1).max(LENGTHS.line);
const node = z.string().min(1).max(LENGTHS.name);
const time = writtenDuration;
const link = z
  .union([node, z.tuple([node, node])], 'must be the two ends of a link such as [PC1:0, SW1:3], or its link_id')
  .meta({ description: 'Its two ends, each a node or node:port, or its link_id' });

const from = part(node, 'From', 'Node that asks: its name or node_id.');
const to = part(line, 'To', 'Node that is to answer, by name or node_id, or an address.');

const reach = z.strictObject({
  from,
  to,
  not: part(z.boolean().exactOptional(), 'Not', 'It must not be reached.'),
  size: part(
    z.int().min(0).max(MOST_PING_DATA).exactOptional(),
    'Size',
    'Octets of data in the request; 56 if absent.',
  ),
});
const loss = z.strictObject({
  from,
  to,
  under: part(z.number().gt(0).max(100), 'Under', 'Share of probes that may be lost, less than this.', '%'),
  probes: part(z.int().min(1).max(1000).exactOptional(), 'Probes', 'Sent for each look; 100 if absent.'),
});

const isPattern = (text: string): boolean => {
  try {
    return new RegExp(text, 'm') instanceof RegExp;
  } catch {
    return false;
  }
};
const pattern = line.refine(isPattern, 'must be a regular expression');
const console_ = z
  .strictObject({
    node: part(node, 'Node', 'Whose console: its name or node_id.'),
    type: part(
      line.exactOptional(),
      'Typed line',
      'A line that is typed for each look. Absent: what the console shows by itself.',
    ),
    shows: part(line.exactOptional(), 'Shows', 'Text that must be in what follows.'),
    matches: part(
      pattern.exactOptional(),
      'Matches',
      'Regular expression that must match what follows; ^ and $ are those of a line.',
    ),
    not: part(z.boolean().exactOptional(), 'Not', 'It must not be there.'),
  })
  .refine((value) => (value.shows === undefined) !== (value.matches === undefined), 'must have either shows or matches')
  .register(JSON_RULES, { oneOf: [{ required: ['shows'] }, { required: ['matches'] }] });

const capture = z.strictObject({
  link: part(link, 'Link', 'On which frames are looked at.'),
  filter: part(line, 'Filter', 'Which frames: an expression of pcap-filter, such as net 10.0.9.0/24.'),
  is: part(
    z.enum(['never', 'seen']).meta({ 'x-options': { never: 'never seen', seen: 'seen' } }),
    'Is',
    'never: no such frame may pass; seen: one must.',
  ),
});
const state = z.strictObject({
  node: part(node, 'Node', 'Its name or node_id.'),
  is: part(z.enum(['started', 'stopped', 'suspended']), 'Is', 'State that it must have.'),
});
const count = z.number().nonnegative();
const counter = z
  .strictObject({
    link: part(link, 'Link', 'Whose traffic is counted.'),
    of: part(
      z
        .enum(['frames', 'octets', 'dropped'])
        .meta({ 'x-options': { frames: 'frames', octets: 'octets', dropped: 'dropped frames' } }),
      'Of',
      'What is counted: of both directions together, where no node is named that sends it.',
    ),
    from: part(node.exactOptional(), 'From', 'Only what this node sends: its name or node_id.'),
    over: part(count.exactOptional(), 'Over', 'More than this, since the project was opened.'),
    under: part(count.exactOptional(), 'Under', 'Less than this, since the project was opened.'),
  })
  .refine((value) => value.over !== undefined || value.under !== undefined, 'must have over, under, or both')
  .register(JSON_RULES, { anyOf: [{ required: ['over'] }, { required: ['under'] }] });
const exec = z
  .strictObject({
    node: part(
      node.exactOptional(),
      'Node',
      'In which it runs: its name or node_id. Absent: on the machine of the server.',
    ),
    run: part(line, 'Run', 'Command line of a shell. It holds if it ends as asked for, with 0 if nothing is.'),
    code: part(z.int().min(0).max(255).exactOptional(), 'Code', 'Exit code that it ends with; 0 if absent.'),
    json: part(
      line.refine(isJsonPath, "must be a path such as neighbors.*.state or peers['10.0.0.2'].state").exactOptional(),
      'JSON path',
      "Values of its output that the rest is about, such as neighbors.*.state or peers['10.0.0.2'].state.",
    ),
    shows: part(line.exactOptional(), 'Shows', 'Text that must be in the output, or in such a value.'),
    matches: part(
      pattern.exactOptional(),
      'Matches',
      'Regular expression that must match the output, or such a value; ^ and $ are those of a line.',
    ),
    is: part(z.union([line, z.number(), z.boolean()]).exactOptional(), 'Is', 'Such a value, exactly.'),
    count: part(z.int().min(0).exactOptional(), 'Count', 'How many such values there are; at least one if absent.'),
    not: part(z.boolean().exactOptional(), 'Not', 'It must not be there.'),
    user: part(line.exactOptional(), 'User', 'Name that is typed where its console asks for one.'),
    password: part(line.exactOptional(), 'Password', 'The same. Everybody who may see the lab can read it.'),
    timeout: part(time.exactOptional(), 'Timeout', 'Longest time that it may take; 10 s if absent.'),
  })
  .refine(
    ({ shows, matches, is }) => [shows, matches, is].filter((one) => one !== undefined).length < 2,
    'must have only one of shows, matches and is',
  )
  .refine(
    ({ json, is, count }) => json !== undefined || (is === undefined && count === undefined),
    'must have json, the path of values, where it has is or count',
  )
  .refine(
    ({ json, shows, matches, count, not }) =>
      not === undefined || ((json ?? shows ?? matches) !== undefined && count === undefined),
    'must have one of shows, matches and json, and no count, where it has not',
  )
  .register(JSON_RULES, {
    allOf: [
      ...[
        ['shows', 'matches'],
        ['shows', 'is'],
        ['matches', 'is'],
      ].map((required) => ({ not: { required } })),
      { if: { anyOf: [{ required: ['is'] }, { required: ['count'] }] }, then: { required: ['json'] } },
      {
        if: { required: ['not'] },
        then: {
          anyOf: [{ required: ['json'] }, { required: ['shows'] }, { required: ['matches'] }],
          not: { required: ['count'] },
        },
      },
    ],
  });
export type ExecForm = z.infer<typeof exec>;

const router = part(node, 'Node', 'Its name or node_id.');
const ospf = z.strictObject({
  node: router,
  neighbors: part(z.int().min(0).exactOptional(), 'Neighbors', 'How many are Full; at least one if absent.'),
});
const bgp = z.strictObject({
  node: router,
  neighbors: part(z.int().min(0).exactOptional(), 'Neighbors', 'How many are Established; at least one if absent.'),
});
const vlan = z.strictObject({
  node: router,
  interface: part(
    z.string().regex(/^[\w.@-]{1,15}$/, 'must be the name of an interface, such as eth1'),
    'Interface',
    'Port of a bridge of the node, such as eth1.',
  ),
  vlan: part(z.int().min(1).max(4094), 'VLAN', 'That it carries.'),
});
const vrrp = z.strictObject({
  node: router,
  group: part(z.int().min(1).max(255), 'Group', 'Number of the virtual router (VRID).'),
  is: part(z.enum(['Master', 'Backup']), 'Is', 'Role that it must have.'),
});

const vtysh = (line: string): string => `vtysh -c '${line} json'`;
const counted = (count: number | undefined): { count?: number } => (count === undefined ? {} : { count });

/** Templates of commands in a node: FRR and iproute2 answer in JSON. */
const TEMPLATES = {
  ospf: ({ node, neighbors }: z.infer<typeof ospf>): ExecForm => ({
    node,
    run: vtysh('show ip ospf neighbor'),
    json: 'neighbors.*.*.nbrState',
    matches: '^Full',
    ...counted(neighbors),
  }),
  bgp: ({ node, neighbors }: z.infer<typeof bgp>): ExecForm => ({
    node,
    run: vtysh('show bgp neighbors'),
    json: '*.bgpState',
    is: 'Established',
    ...counted(neighbors),
  }),
  vlan: ({ node, interface: port, vlan: id }: z.infer<typeof vlan>): ExecForm => ({
    node,
    run: `bridge -j vlan show dev ${port}`,
    json: '*.vlans.*.vlan',
    is: id,
  }),
  vrrp: ({ node, group, is }: z.infer<typeof vrrp>): ExecForm => ({
    node,
    run: vtysh(`show vrrp ${group}`),
    json: '*.*.status',
    is,
  }),
};

/** Command that a check asks for, as it is or by a template. */
export const execOf = ({ exec, ospf, bgp, vlan, vrrp }: CheckForm): ExecForm | undefined =>
  exec ??
  (ospf && TEMPLATES.ospf(ospf)) ??
  (bgp && TEMPLATES.bgp(bgp)) ??
  (vlan && TEMPLATES.vlan(vlan)) ??
  (vrrp && TEMPLATES.vrrp(vrrp));

/** Conditions that can be probed; a check has one of them. */
const SUBJECTS = { reach, console: console_, capture, state, counter, exec, loss, ospf, bgp, vlan, vrrp } as const;
export type Subject = keyof typeof SUBJECTS;
const subjectNames = Object.keys(SUBJECTS) as Subject[];

const TIMES = {
  first: part(
    time.exactOptional(),
    'First',
    'When it is looked at first, from the start of the lab; at once if absent.',
  ),
  every: part(time.exactOptional(), 'Every', 'Time from one look to the next; 1 s if absent.'),
  for: part(
    time.exactOptional(),
    'For',
    'How long it is looked at, from the first time; as long as the lab runs if absent.',
  ),
  within: part(time.exactOptional(), 'Within', 'Time from the start of the lab until which it need not hold yet.'),
  before: part(time.exactOptional(), 'Before', 'Time from the start of the lab before which it must hold once.'),
  during: part(z.string().min(1).max(LENGTHS.name).exactOptional(), 'During', 'Weather of this name, while it lasts.'),
} as const;

const shape = {
  name: part(z.string().min(1).max(LENGTHS.name).exactOptional(), 'Name', 'What people call it.'),
  reach: part(reach.exactOptional(), 'Reach', 'One node reaches another.'),
  console: part(console_.exactOptional(), 'Console', 'A console shows something.'),
  capture: part(capture.exactOptional(), 'Capture', 'A frame passes a link, or never does.'),
  state: part(state.exactOptional(), 'State', 'A node has a state.'),
  counter: part(counter.exactOptional(), 'Counter', 'Traffic of a link is within bounds.'),
  exec: part(exec.exactOptional(), 'Exec', 'A command of yours ends well.'),
  loss: part(loss.exactOptional(), 'Loss', 'Few enough probes are lost.'),
  ospf: part(ospf.exactOptional(), 'OSPF', 'A router of FRR has its neighbors of OSPF.'),
  bgp: part(bgp.exactOptional(), 'BGP', 'A router of FRR has its neighbors of BGP.'),
  vlan: part(vlan.exactOptional(), 'VLAN', 'A port of a bridge of Linux carries a VLAN.'),
  vrrp: part(vrrp.exactOptional(), 'VRRP', 'A router of FRR has its role in VRRP.'),
  ...TIMES,
  points: part(
    z.number().nonnegative().max(10_000).exactOptional(),
    'Points',
    'What it counts in a stage; 1 if absent.',
  ),
} as const;

/** Form of a check with further keys in front. */
export const checkFormWith = <S extends z.ZodRawShape>(more: S) =>
  z
    .strictObject({ ...more, ...shape })
    .refine(
      (check) => subjectNames.filter((name) => Object.hasOwn(check, name)).length === 1,
      `must have one of ${subjectNames.join(', ')}`,
    )
    .refine(
      (check) => !(Object.hasOwn(check, 'within') && Object.hasOwn(check, 'before')),
      'must not have both within and before',
    )
    .register(JSON_RULES, {
      oneOf: subjectNames.map((name) => ({ required: [name] })),
      not: { required: ['within', 'before'] },
    });

export const checkForm = checkFormWith({});
export type CheckForm = z.infer<typeof checkForm>;

/** A check in a project's record. */
export const checkRecord = checkFormWith({ check_id: part(z.uuid(), 'Check', 'Never changes.') });
export type CheckRecord = z.infer<typeof checkRecord>;

const SENTENCE = /^(.+?) (reaches|does not reach) (.+?)((?: (?:first|every|for|within|before|during) \S+)*)$/;

const PAIR = `(?:first|every|for|within|before|during)`;
const PAIRS = `(?: ${PAIR} \\S+)*\\s*$`;
/** The same in JSON Schema, with durations that are right, and not both `within` and `before`. */
const SENTENCES = [
  `^\\s*\\S.* (?:reaches|does not reach) `,
  `(?!.* (?:first|every|for|within|before) (?!${DURATION}(?:\\s|$))\\S+${PAIRS})`,
  `(?!.* within \\S+(?: ${PAIR} \\S+)* before \\S+${PAIRS})`,
  `(?!.* before \\S+(?: ${PAIR} \\S+)* within \\S+${PAIRS})`,
  String.raw`.*\S`,
].join('');

/** Parses a sentence such as `PC1 reaches PC2 within 10s`; null if it is none. */
export const checkOfSentence = (sentence: string): CheckForm | null => {
  const [, from, verb, to, times] = SENTENCE.exec(sentence.trim()) ?? [];
  if (from === undefined || to === undefined) return null;
  const words = (times ?? '').trim().split(/ +/);
  const pairs = words.flatMap((word, index) => (index % 2 === 0 && word !== '' ? [[word, words[index + 1]]] : []));
  const not = verb === 'reaches' ? {} : { not: true };
  const parsed = checkForm.safeParse({ reach: { from, to, ...not }, ...Object.fromEntries(pairs) });
  return parsed.success ? parsed.data : null;
};

/** Writes a check as a sentence; null for one that has no such form. */
export const sentenceOf = (check: CheckForm): string | null => {
  const { reach, ...rest } = check;
  if (reach === undefined) return null;
  const times = Object.keys(TIMES).flatMap((key) => {
    const value = rest[key as keyof typeof TIMES];
    return value === undefined ? [] : [` ${key} ${value}`];
  });
  const sentence = `${reach.from} ${reach.not === true ? 'does not reach' : 'reaches'} ${reach.to}${times.join('')}`;
  return isDeepStrictEqual(checkOfSentence(sentence), check) ? sentence : null;
};

/** Renames the nodes in a sentence. */
export const renamedSentence = (sentence: string, node: (name: string) => string): string => {
  const [whole, from, verb, to, times] = SENTENCE.exec(sentence.trim()) ?? [];
  if (whole === undefined || from === undefined || to === undefined) return sentence;
  return `${node(from)} ${verb} ${node(to)}${times ?? ''}`;
};

/** A check in a lab's text: an object, or a sentence, which is parsed into one. */
export const checkEntry = z.union([
  z
    .string()
    .refine(
      (text) => checkOfSentence(text) !== null,
      'must say something like: PC1 reaches PC2 within 10s, or: PC1 does not reach 10.0.9.1',
    )
    .register(JSON_RULES, {
      pattern: SENTENCES,
      examples: ['PC1 reaches PC2 within 10s', 'PC1 does not reach 10.0.9.1'],
    })
    .transform((text) => checkOfSentence(text) as CheckForm),
  checkForm,
]);

export const subjectOf = (check: CheckForm): Subject =>
  subjectNames.find((name) => check[name] !== undefined) ?? 'state';

/** A link by its id, or by its ends. */
export type LinkName = z.infer<typeof link>;

interface Renaming {
  node: (name: string) => string;
  link: (name: LinkName) => LinkName;
}

/** Renames the nodes and links of a check; addresses stay. */
export const renamed = <C extends CheckForm>(check: C, { node, link }: Renaming): C => {
  const { reach, loss, console, capture, state, counter, exec, ospf, bgp, vlan, vrrp } = check;
  const at = <P extends { node: string }>(place: P): P => ({ ...place, node: node(place.node) });
  const target = (to: string): string => (isIP(to) === 0 ? node(to) : to);
  const between = <P extends { from: string; to: string }>(pair: P): P => ({
    ...pair,
    from: node(pair.from),
    to: target(pair.to),
  });
  return {
    ...check,
    ...(reach && { reach: between(reach) }),
    ...(loss && { loss: between(loss) }),
    ...(console && { console: at(console) }),
    ...(capture && { capture: { ...capture, link: link(capture.link) } }),
    ...(state && { state: at(state) }),
    ...(ospf && { ospf: at(ospf) }),
    ...(bgp && { bgp: at(bgp) }),
    ...(vlan && { vlan: at(vlan) }),
    ...(vrrp && { vrrp: at(vrrp) }),
    ...(counter && {
      counter: {
        ...counter,
        link: link(counter.link),
        ...(counter.from === undefined ? {} : { from: node(counter.from) }),
      },
    }),
    ...(exec?.node !== undefined && { exec: { ...exec, node: node(exec.node) } }),
  };
};

/** Observations that a verdict is based on, as far as they are known. */
export const evidence = z.object({
  /** Time of the observation: ISO, by the clock of captures for frames. */
  at: z.string().exactOptional(),
  /** Text that the console showed. */
  console: z.string().exactOptional(),
  /** A frame on a link: its number among those in its direction, and its first octets in hexadecimal. */
  frame: z
    .object({
      link_id: z.string(),
      from: z.string().nullable(),
      number: z.int(),
      octets: z.int(),
      head: z.string(),
    })
    .exactOptional(),
  /** Echo requests. `why`: what came in place of the first missing answer. */
  probes: z
    .object({ to: z.string(), sent: z.int(), lost: z.int(), rtt_ms: z.number().nullable(), why: z.string().nullable() })
    .exactOptional(),
  state: z.string().exactOptional(),
  count: z.number().exactOptional(),
  /** Last output of a command, and its exit status; null if a signal ended it. */
  output: z.string().exactOptional(),
  code: z.int().nullable().exactOptional(),
});
export type Evidence = z.infer<typeof evidence>;

/** A change of a check to met or broken. `after_ms`: since the start of the run. `text`: the observation as a sentence. */
export const verdict = z.object({
  check_id: z.string(),
  project_id: z.string(),
  name: z.string(),
  after_ms: z.int(),
  text: z.string(),
  evidence,
});

const name = z.string().min(1).max(LENGTHS.name);

/** A stage of a lab for teaching or exams: names of checks, which have points. */
export const stageForm = z.strictObject({
  name: part(name, 'Name', 'Of the stage.'),
  checks: part(z.array(name).min(1).max(MOST_ITEMS), 'Checks', 'Names of the checks that must have been met.'),
  deadline: part(writtenDuration.exactOptional(), 'Deadline', 'Time from the start of the lab until which it counts.'),
  unlocks: part(z.array(name).max(MOST_ITEMS).exactOptional(), 'Unlocks', 'Stages that count once this one is passed.'),
});
export type StageForm = z.infer<typeof stageForm>;
