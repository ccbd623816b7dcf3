import path from 'node:path';
import type { Analysis } from './analysis.ts';
import { type Lab, type LabLink, linkName } from './lab.ts';

/** How many frames of a capture pass a display filter, and when the last one came: seconds since 1970. */
export type CountFrames = (
  at: { projectPath: string; name: string },
  filter: string,
) => Promise<{ found: number; last: number | null; complete: boolean }>;

/** What the captures that are on have of these packets: sentences. */
export const captured = async (
  lab: Lab,
  { request, reply, between }: Analysis,
  count: CountFrames,
): Promise<string[]> => {
  const { source, destination } = between;
  if (source === null || destination === null) return [];
  const ids = new Set([...request.hops, ...reply.hops].map(({ link_id }) => link_id));
  const links = new Set(
    [...lab.links.values()]
      .flatMap((ports) => [...ports.values()].flat())
      .filter(({ record }) => ids.has(record.link_id)),
  );
  const [own, other] = [source.text, destination.text];
  const layer = source.family === 4 ? 'ip' : 'ipv6';
  const onLink = async ({ record, isGone }: LabLink): Promise<string[]> => {
    if (isGone || record.state !== 'capturing' || record.capture === null) return [];
    const at = { projectPath: lab.project.path, name: path.basename(record.capture.file_name) };
    const way = (from: string, to: string) => count(at, `${layer}.src == ${from} && ${layer}.dst == ${to}`);
    const [there, back] = await Promise.all([way(own, other), way(other, own)]).catch(() => [null, null]);
    if (there?.complete !== true || back?.complete !== true) return [];
    const when = there.last === null ? '' : `, the last at ${new Date(there.last * 1000).toISOString()}`;
    return [
      `the capture of ${linkName(lab, record)} has ${packets(there.found)} from ${own} to ${other}${when}, and ${back.found === 0 ? 'none' : back.found} back`,
    ];
  };
  return (await Promise.all([...links].map(onLink))).flat();
};

const packets = (count: number): string => (count === 0 ? 'no packet' : count === 1 ? '1 packet' : `${count} packets`);
