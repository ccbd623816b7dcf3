import { TopologError } from '../../common/errors.ts';
import { atOnce, type Steps } from '../../common/slices.ts';
import type { LabLink, CheckLab, ProblemAt } from '../../files/lab/model.ts';
import { Problems } from '../../files/lab/problems.ts';
import { nameOf } from '../../projections/check-names.ts';
import type { LabContext } from '../context.ts';
import { unknownInStages } from './lessons.ts';
import { endOf, portsByName, type Target, targetsIn, type Texts } from './targets.ts';

type Looked = Parameters<CheckLab>[0];

/** For a text that is refused anyway. */
export const lookAtLab =
  (context: LabContext): CheckLab =>
  (lab, wrong) => {
    const problems = new Problems();
    const said = { context, nodes: lab.nodes, wrong, records: new Map() };
    lookAround(lab, atOnce(targetsIn(said, problems)), wrong, problems);
    return problems.all;
  };

/** What a text says of nodes, held against what is there. Where it is not right, what else can be known is told with it. */
export function* targetsOf(texts: Texts, lab: Looked): Steps<Target[]> {
  const problems = new Problems();
  const targets = yield* targetsIn(texts, problems);
  if (!problems.isEmpty) lookAround(lab, targets, texts.wrong, problems);
  problems.refuse();
  return targets;
}

const lookAround = (
  { links, checks, stages }: Looked,
  targets: readonly Target[],
  wrong: ProblemAt,
  problems: Problems,
): void => {
  lookAtPorts(links, targets, wrong, problems);
  // A check of a link without a name is called by the link, which is not known here.
  const isPlain = checks?.every(
    ({ name, capture, counter }) => name !== undefined || (capture ?? counter) === undefined,
  );
  const names = isPlain === true ? checks?.map((check) => nameOf({ get: () => undefined }, check)) : undefined;
  for (const error of unknownInStages(stages, names, wrong)) problems.add(error);
};

/** Of nodes whose ports are known already: what a template says is not. */
const lookAtPorts = (
  links: readonly (readonly [number, LabLink])[],
  targets: readonly Target[],
  wrong: ProblemAt,
  problems: Problems,
): void => {
  const known = targets.filter(({ template, record }) => template === null || record !== null);
  const ports = portsByName(known.map((target) => ({ ...target, input: null })));
  const taken = new Set<string>();
  for (const [i, { ends }] of links)
    for (const end of ends.filter(({ node }) => ports.has(node))) {
      if (problems.isFull) return;
      try {
        endOf(end, ports, taken, (problem) => wrong(['links', i], problem));
      } catch (error) {
        // A node that is wrong itself has no ports yet; its own error says why.
        if (error instanceof TopologError && typeof error.details['line'] !== 'number') continue;
        problems.add(error);
      }
    }
};
