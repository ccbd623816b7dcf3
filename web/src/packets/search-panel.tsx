import { type ReactElement, useEffect, useState } from 'react';
import { useScope, useView } from '../app/lab-context.tsx';
import { openPanel } from '../store/workbench.ts';
import { timeLineOf } from '../timeline/controller.ts';
import { nameFor } from '../timeline/panes/history.ts';
import { Button } from '../ui/button.tsx';
import { t } from '../words/words.ts';
import { FilterField } from './filter-field.tsx';
import { PacketList } from './packet-list.tsx';
import { type FilterProblem, type Found, problemWith, searchPackets } from './server.ts';
import { wantedPacket } from './pages.ts';
import './packets.css';

const AGAIN_MS = 400;

/** Packets of all captures of the lab, on one clock. */
export const SearchPanel = (): ReactElement => {
  const { lab, workbench } = useScope();
  const { records } = useView();
  const [filter, setFilter] = useState('');
  const [selected, setSelected] = useState<number | null>(null);
  const { found, problem } = useSearch(filter);
  useEffect(() => setSelected(null), [filter]);
  const packets = found?.packets ?? [];
  const packet = selected === null ? undefined : packets[selected];
  const show = (): void => {
    if (packet === undefined) return;
    const { link_id: linkId, file_name: capture, number } = packet;
    wantedPacket.set({ capture, number });
    workbench.update(openPanel(linkId === null ? { kind: 'capture', capture } : { kind: 'packets', linkId }));
  };
  const placeOf = (row: number): string => {
    const { link_id: linkId = null, file_name: capture = '' } = packets[row] ?? {};
    return linkId === null ? capture : nameFor(records, 'link', linkId);
  };
  return (
    <>
      <div className="packet-tools">
        <FilterField filter={filter} onFilter={setFilter} problem={problem} />
        <Summary found={found} />
        <span className="spring" />
        <Button icon="capture" disabled={packet === undefined} onClick={show}>
          {t('Show in its capture')}
        </Button>
        <Button
          icon="history"
          disabled={packet === undefined}
          onClick={() => packet !== undefined && timeLineOf(lab).goTo(packet.time * 1000)}
        >
          {t('Show the lab at this time')}
        </Button>
      </div>
      <PacketList
        rows={packets.length}
        packetAt={(row) => packets[row]}
        selected={selected}
        onSelect={setSelected}
        extra={{ title: t('Link'), of: placeOf }}
        empty={found === null && problem === null ? t('Loading …') : t('No capture has such a packet.')}
      />
    </>
  );
};

const Summary = ({ found }: { found: Found | null }): ReactElement => (
  <span className="note" role="status" data-testid="search-count">
    {found !== null &&
      t('{found, plural, one {# packet} other {# packets}} in {captures, plural, one {# capture} other {# captures}}', {
        found: found.found,
        captures: found.captures,
      })}
    {found !== null && found.found > found.packets.length && (
      <>, {t('the first {count, number} are shown', { count: found.packets.length })}</>
    )}
  </span>
);

const useSearch = (filter: string): { found: Found | null; problem: FilterProblem | null } => {
  const { lab } = useScope();
  const [found, setFound] = useState<Found | null>(null);
  const [problem, setProblem] = useState<FilterProblem | null>(null);
  useEffect(() => {
    const ending = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const read = async (): Promise<void> => {
      try {
        const answer = await searchPackets(lab, filter, ending.signal);
        setFound(answer);
        setProblem(null);
        if (!answer.complete) timer = setTimeout(() => void read(), AGAIN_MS);
      } catch (error) {
        if (!ending.signal.aborted) setProblem(problemWith(error));
      }
    };
    void read();
    return () => {
      ending.abort();
      clearTimeout(timer);
    };
  }, [lab, filter]);
  return { found, problem };
};
