import { type ReactElement, useEffect, useState } from 'react';
import { useScope } from '../app/lab-context.tsx';
import type { Schemas } from '../store/api.ts';
import { t } from '../words/words.ts';
import type { FilterDescription } from './filter-form.ts';

const AGAIN_MS = 2_000;

interface Props {
  readonly linkId: string;
  readonly descriptions: readonly FilterDescription[];
  /** How both directions are called. */
  readonly directions: readonly [string, string];
}

/** What passed since the link is there, and what became of the rest, by reason. */
export const FrameCounts = ({ linkId, descriptions, directions }: Props): ReactElement | null => {
  const counts = useCounts(linkId);
  if (counts === null) return null;
  const [there, back] = counts.directions;
  const names: readonly (readonly [string, string])[] = [
    ...descriptions.map(({ type, name }) => [type, name] as const),
    ['suspended', t('Suspended')],
    ['queue_full', t('Queue full')],
  ];
  const reasons = names.filter(([type]) => (there.reasons[type] ?? 0) + (back.reasons[type] ?? 0) > 0);
  const rows: readonly (readonly [string, number, number])[] = [
    [t('Arrived'), there.frames, back.frames],
    [t('Octets'), there.bytes, back.bytes],
    [t('Dropped'), there.dropped, back.dropped],
    ...reasons.map(([type, name]) => [name, there.reasons[type] ?? 0, back.reasons[type] ?? 0] as const),
  ];
  return (
    <table className="traffic-numbers" data-testid="frame-counts">
      <caption>{t('Since the link was made')}</caption>
      <thead>
        <tr>
          <th scope="col">{t('Frames')}</th>
          {directions.map((direction) => (
            <th key={direction} scope="col">
              {direction}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(([name, one, other]) => (
          <tr key={name}>
            <th scope="row">{name}</th>
            <td>{t('{count, number}', { count: one })}</td>
            <td>{t('{count, number}', { count: other })}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
};

const useCounts = (linkId: string): Schemas['LinkTraffic'] | null => {
  const { lab } = useScope();
  const [counts, setCounts] = useState<Schemas['LinkTraffic'] | null>(null);
  useEffect(() => {
    const ending = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const path = { project_id: lab.projectId, link_id: linkId };
    const read = async (): Promise<void> => {
      const given = lab.client.get('/v2/projects/{project_id}/links/{link_id}/traffic', {
        path,
        signal: ending.signal,
      });
      // What is shown stays as it was while nobody answers.
      await given.then(setCounts, () => undefined);
      if (!ending.signal.aborted) timer = setTimeout(() => void read(), AGAIN_MS);
    };
    void read();
    return () => {
      ending.abort();
      clearTimeout(timer);
    };
  }, [lab, linkId]);
  return counts;
};
