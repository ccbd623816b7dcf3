/** A compute on which a node could be placed. */
export interface Candidate {
  compute_id: string;
  name: string;
  /** It has an engine for the node's kind. */
  hasEngine: boolean;
  /** 0 to 100. */
  memory_usage_percent: number;
}

export interface Placing {
  candidates: readonly Candidate[];
  /** Computes of the nodes it is linked with, one for each link. */
  neighbours: readonly string[];
}

/** Cost of a tunnel to another machine, in percent of memory. */
const TUNNEL_COST = 5;

/** The best compute for a node, the first of equal ones, and why; null: none has an engine for it. */
export const placeNode = ({ candidates, neighbours }: Placing): { compute_id: string; reason: string } | null => {
  const possible = candidates.filter(({ hasEngine }) => hasEngine);
  const withCosts = possible.map((candidate) => {
    const tunnels = neighbours.filter((id) => id !== candidate.compute_id).length;
    return { candidate, tunnels, cost: candidate.memory_usage_percent + tunnels * TUNNEL_COST };
  });
  const best = withCosts.reduce<(typeof withCosts)[number] | null>(
    (found, next) => (found === null || next.cost < found.cost ? next : found),
    null,
  );
  if (best === null) return null;
  const { candidate, tunnels } = best;
  const reason = [
    `${candidate.name} has an engine for it`,
    `${candidate.memory_usage_percent} % of its memory is in use`,
    ...(neighbours.length === 0 ? [] : [`${tunnels} of its ${neighbours.length} links lead to other machines`]),
  ].join(', ');
  return { compute_id: candidate.compute_id, reason };
};
