import { type ReactElement, useCallback, useEffect, useState } from 'react';
import { useScope, useView } from '../app/lab-context.tsx';
import { attempt, sentenceOf } from '../store/notices.ts';
import { useStore } from '../store/use-store.ts';
import { openPanel, openSheet } from '../store/workbench.ts';
import { Button, IconButton } from '../ui/button.tsx';
import { t } from '../words/words.ts';
import { ConversationTable } from './conversation-table.tsx';
import { FilterField } from './filter-field.tsx';
import { PacketDetail } from './packet-detail.tsx';
import { PacketList } from './packet-list.tsx';
import './packets.css';
import { NO_PAGES, packetAt, type PacketPages, type PageReader, readPages, wantedPacket } from './pages.ts';
import { type Followed, octetsOf, readFollowed } from './server.ts';

/** The capture of a link, running or ended. */
export const PacketsPanel = ({ linkId }: { linkId: string }): ReactElement => {
  const { lab } = useScope();
  const capture = useStore(lab.state, (now) => now.records.links.get(linkId)?.capture_file_name ?? null);
  const isCapturing = useStore(lab.state, (now) => now.records.links.get(linkId)?.capturing === true);
  if (capture === null)
    return (
      <div className="panel-note">
        <p>{t('Nothing was captured on this link yet.')}</p>
        <CaptureSwitch linkId={linkId} isCapturing={isCapturing} />
      </div>
    );
  return <CapturePanel key={capture} capture={capture} linkId={linkId} isCapturing={isCapturing} />;
};

interface Props {
  readonly capture: string;
  /** Null: of a link that is no more, or that captures into another file. */
  readonly linkId: string | null;
  readonly isCapturing: boolean;
}

type Shown =
  | { readonly what: 'list' }
  | { readonly what: 'conversations' }
  | { readonly what: 'followed'; readonly number: number };

/** A capture file: a list, conversations, or one of them. */
export const CapturePanel = ({ capture, linkId, isCapturing }: Props): ReactElement => {
  const [filter, setFilter] = useState('');
  const [shown, setShown] = useState<Shown>({ what: 'list' });
  const { reader, pages } = usePages(capture, filter, isCapturing);
  const list = useCallback((wanted: string) => {
    setFilter(wanted);
    setShown({ what: 'list' });
  }, []);
  if (shown.what === 'followed')
    return <FollowedView capture={capture} number={shown.number} onClose={() => setShown({ what: 'list' })} />;
  return (
    <>
      <div className="packet-tools">
        <FilterField filter={filter} onFilter={setFilter} problem={pages.problem} />
        <Count pages={pages} isFiltered={filter !== ''} />
        <span className="spring" />
        <Tools linkId={linkId} isCapturing={isCapturing} shown={shown} onShow={setShown} />
      </div>
      {shown.what === 'conversations' ? (
        <ConversationTable capture={capture} filter={filter} onFilter={list} />
      ) : (
        <Packets
          key={filter}
          capture={capture}
          isCapturing={isCapturing}
          pages={pages}
          reader={reader}
          onFilter={list}
          onFollow={(number) => setShown({ what: 'followed', number })}
        />
      )}
    </>
  );
};

const usePages = (
  capture: string,
  filter: string,
  isGrowing: boolean,
): { reader: PageReader | null; pages: PacketPages } => {
  const { lab } = useScope();
  const [reader, setReader] = useState<PageReader | null>(null);
  const [read, setRead] = useState({ filter, pages: NO_PAGES });
  useEffect(() => {
    const made = readPages(lab, { capture, filter, isGrowing });
    setReader(made);
    const show = (): void => {
      const now = made.state.get();
      // Earlier results stay in sight until there is an answer.
      setRead(({ pages }) => ({
        filter,
        pages: now.progress === null && now.problem !== null ? { ...pages, problem: now.problem } : now,
      }));
    };
    const stop = made.state.subscribe(show);
    return () => {
      stop();
      made.close();
    };
  }, [lab, capture, filter, isGrowing]);
  // A problem with one filter is not one of the next.
  return { reader, pages: read.filter === filter ? read.pages : { ...read.pages, problem: null } };
};

const Count = ({ pages: { progress }, isFiltered }: { pages: PacketPages; isFiltered: boolean }): ReactElement => {
  const { found = 0, total = 0, scanned = 0, complete = true, decoded_by: by } = progress ?? {};
  return (
    <span className="note" role="status" data-testid="packet-count">
      {isFiltered && found !== total
        ? t('{found, number} of {total, plural, one {# packet} other {# packets}}', { found, total })
        : t('{total, plural, one {# packet} other {# packets}}', { total })}
      {!complete && total > 0 && isFiltered && (
        <>, {t('{share, number, percent} looked at', { share: scanned / total })}</>
      )}
      {by === 'tshark' && <>, {t('filtered by {program}', { program: 'tshark' })}</>}
    </span>
  );
};

interface ToolsProps {
  readonly linkId: string | null;
  readonly isCapturing: boolean;
  readonly shown: Shown;
  readonly onShow: (shown: Shown) => void;
}

const Tools = ({ linkId, isCapturing, shown, onShow }: ToolsProps): ReactElement => {
  const { workbench } = useScope();
  const { past } = useView();
  const isCounted = shown.what === 'conversations';
  return (
    <>
      {past !== null && <span className="past-said">{t('These are of the present')}</span>}
      {linkId !== null && <CaptureSwitch linkId={linkId} isCapturing={isCapturing} />}
      <IconButton
        icon="compare"
        label={t('Conversations')}
        aria-pressed={isCounted}
        onClick={() => onShow({ what: isCounted ? 'list' : 'conversations' })}
      />
      <IconButton
        icon="search"
        label={t('Search all captures')}
        onClick={() => workbench.update(openPanel({ kind: 'captures' }))}
      />
      {linkId !== null && (
        <IconButton
          icon="filter"
          label={t('Filters and capture of this link')}
          onClick={() => workbench.update(openSheet({ kind: 'link', linkId }))}
        />
      )}
    </>
  );
};

interface PacketsProps {
  readonly capture: string;
  readonly isCapturing: boolean;
  readonly pages: PacketPages;
  readonly reader: PageReader | null;
  readonly onFilter: (filter: string) => void;
  readonly onFollow: (number: number) => void;
}

const Packets = ({ capture, isCapturing, pages, reader, onFilter, onFollow }: PacketsProps): ReactElement => {
  const wanted = useStore(wantedPacket);
  const [isFollowing, setFollowing] = useState(isCapturing && wanted?.capture !== capture);
  const [selected, setSelected] = useState<number | null>(null);
  const [number, setNumber] = useState<number | null>(null);
  const look = useCallback((from: number, to: number) => reader?.look(from, to), [reader]);
  useEffect(() => {
    if (wanted?.capture !== capture) return;
    setFollowing(false);
    setSelected(wanted.number - 1);
    setNumber(wanted.number);
    wantedPacket.set(null);
  }, [wanted, capture]);
  const select = (row: number): void => {
    setSelected(row);
    setFollowing(false);
    const packet = packetAt(pages, row);
    if (packet !== undefined) setNumber(packet.number);
  };
  return (
    <div className={`packet-view${number === null ? '' : ' with-detail'}`}>
      <PacketList
        rows={pages.progress?.found ?? 0}
        packetAt={(row) => packetAt(pages, row)}
        selected={selected}
        onSelect={select}
        onLook={look}
        isFollowing={isFollowing}
        onLeave={() => setFollowing(false)}
        empty={pages.progress === null && pages.problem === null ? t('Loading …') : t('No packets yet.')}
      />
      {isCapturing && (
        <label className="packet-follow row">
          <input type="checkbox" checked={isFollowing} onChange={(event) => setFollowing(event.target.checked)} />
          {t('Follow')}
        </label>
      )}
      {number !== null && <PacketDetail capture={capture} number={number} onFilter={onFilter} onFollow={onFollow} />}
    </div>
  );
};

const CaptureSwitch = ({ linkId, isCapturing }: { linkId: string; isCapturing: boolean }): ReactElement => {
  const { lab } = useScope();
  const { isReadOnly } = useView();
  const call = { path: { project_id: lab.projectId, link_id: linkId }, body: {} };
  const turn = (): Promise<boolean> =>
    attempt(() =>
      isCapturing
        ? lab.client.post('/v2/projects/{project_id}/links/{link_id}/stop_capture', call)
        : lab.client.post('/v2/projects/{project_id}/links/{link_id}/start_capture', call),
    );
  return (
    <Button icon={isCapturing ? 'stop' : 'capture'} disabled={isReadOnly} onClick={() => void turn()}>
      {isCapturing ? t('Stop') : t('Capture')}
    </Button>
  );
};

interface FollowedViewProps {
  readonly capture: string;
  readonly number: number;
  readonly onClose: () => void;
}

const asText = (octets: Uint8Array): string =>
  new TextDecoder()
    .decode(octets)
    .replaceAll(/[^\P{C}\n\r\t]/gu, '·')
    .replaceAll('\r\n', '\n');
const asHex = (octets: Uint8Array): string => [...octets].map((octet) => octet.toString(16).padStart(2, '0')).join(' ');

/** Data that both ends of a conversation have sent. */
const FollowedView = ({ capture, number, onClose }: FollowedViewProps): ReactElement => {
  const { lab } = useScope();
  const [isHex, setHex] = useState(false);
  const [answer, setAnswer] = useState<Followed | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  useEffect(() => {
    const ending = new AbortController();
    readFollowed(lab, capture, number, ending.signal).then(setAnswer, (error: unknown) => {
      if (!ending.signal.aborted) setProblem(sentenceOf(error));
    });
    return () => ending.abort();
  }, [lab, capture, number]);
  const [one, other] = (answer?.ends ?? []).map(({ address, port }) => `${address} ${port ?? ''}`);
  return (
    <>
      <div className="packet-tools">
        <Button icon="back" onClick={onClose}>
          {t('Back to the packets')}
        </Button>
        <span className="end-0">{one}</span>
        <span className="end-1">{other}</span>
        <span className="spring" />
        <label className="row">
          <input type="checkbox" checked={isHex} onChange={({ target }) => setHex(target.checked)} />
          {t('Hexadecimal')}
        </label>
      </div>
      <div className="followed" role="region" aria-label={t('Conversation')} tabIndex={0}>
        {problem !== null && <p className="problem">{problem}</p>}
        {answer === null && problem === null && <p className="panel-note">{t('Loading …')}</p>}
        {answer?.parts.length === 0 && <p className="panel-note">{t('Neither end says anything.')}</p>}
        {answer?.parts.map((part) => (
          <pre key={part.number} className={`end-${part.end}`} title={t('Packet {number}', { number: part.number })}>
            {(isHex ? asHex : asText)(octetsOf(part.bytes))}
          </pre>
        ))}
        {answer?.cut === true && <p className="note">{t('There is more than is shown.')}</p>}
      </div>
    </>
  );
};
