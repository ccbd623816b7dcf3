import { type KeyboardEvent, type ReactElement, useEffect, useRef, useState } from 'react';
import { useScope } from '../app/lab-context.tsx';
import { sentenceOf } from '../store/notices.ts';
import { IconButton } from '../ui/button.tsx';
import { t } from '../words/words.ts';
import { fieldAt, fieldOfOctet, FieldTree, keepInSight } from './field-tree.tsx';
import { AnimateButton } from './packet-journey.tsx';
import { type DecodedBy, type DecodedPacket, octetsOf, readPacket } from './server.ts';

interface Props {
  readonly capture: string;
  readonly number: number;
  readonly onFilter: (filter: string) => void;
  readonly onFollow: (number: number) => void;
}

const DECODERS: Readonly<Record<DecodedBy, string>> = { topolog: 'Topolog', tshark: 'tshark' };

/** A packet: its fields beside its octets, each of which shows where the other is. */
export const PacketDetail = ({ capture, number, onFilter, onFollow }: Props): ReactElement => {
  const [decoder, setDecoder] = useState<DecodedBy>('topolog');
  const { packet, problem } = usePacket(capture, number, decoder);
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set(['ip', 'arp', 'icmp', 'udp', 'tcp', 'dns', 'dhcp']));
  const [selected, setSelected] = useState<string | null>(null);
  useEffect(() => setSelected(null), [capture, number, decoder]);
  if (packet === null) return <p className="panel-note">{problem ?? t('Loading …')}</p>;
  const field = selected === null ? null : fieldAt(packet.fields, selected);
  const turn = (name: string, isOpen: boolean): void =>
    setOpen((now) => new Set(isOpen ? [...now, name] : [...now].filter((one) => one !== name)));
  const showOctet = (octet: number): void => {
    const found = fieldOfOctet(packet.fields, octet);
    if (found === null) return;
    setOpen((now) => new Set([...now, ...found.names]));
    setSelected(found.path);
  };
  const { conversation, followed, decoders } = packet;
  return (
    <section className="packet-detail" aria-label={t('Packet {number}', { number: packet.number })}>
      <div className="packet-detail-tools">
        <span className="note">{t('Decoded by')}</span>
        {decoders.length === 1 ? (
          <span className="note">{DECODERS[packet.decoded_by]}</span>
        ) : (
          <select
            aria-label={t('Decoded by')}
            value={decoder}
            onChange={({ target }) => setDecoder(target.value === 'tshark' ? 'tshark' : 'topolog')}
          >
            {decoders.map((one) => (
              <option key={one} value={one}>
                {DECODERS[one]}
              </option>
            ))}
          </select>
        )}
        <span className="spring" />
        {conversation !== null && (
          <IconButton icon="filter" label={t('Only this conversation')} onClick={() => onFilter(conversation)} />
        )}
        {followed && (
          <IconButton icon="text" label={t('Follow conversation')} onClick={() => onFollow(packet.number)} />
        )}
        <AnimateButton capture={capture} packet={packet} />
      </div>
      {problem !== null && <p className="problem">{problem}</p>}
      <div className="packet-both">
        <FieldTree fields={packet.fields} open={open} selected={selected} onOpen={turn} onSelect={setSelected} />
        <HexView octets={octetsOf(packet.bytes)} mark={field} onOctet={showOctet} />
      </div>
    </section>
  );
};

const usePacket = (
  capture: string,
  number: number,
  decoder: DecodedBy,
): { packet: DecodedPacket | null; problem: string | null } => {
  const { lab } = useScope();
  const [packet, setPacket] = useState<DecodedPacket | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  useEffect(() => {
    const ending = new AbortController();
    setProblem(null);
    readPacket(lab, capture, { number, decoder }, ending.signal).then(setPacket, (error: unknown) => {
      if (!ending.signal.aborted) setProblem(sentenceOf(error));
    });
    return () => ending.abort();
  }, [lab, capture, number, decoder]);
  return { packet, problem };
};

const COLUMNS = 8;
/** More are not drawn. */
const MOST = 4096;

interface HexViewProps {
  readonly octets: Uint8Array;
  readonly mark: { readonly at: number; readonly length: number } | null;
  readonly onOctet: (octet: number) => void;
}

const two = (octet: number): string => octet.toString(16).padStart(2, '0');
const character = (octet: number): string => (octet > 31 && octet < 127 ? String.fromCharCode(octet) : '·');

/** Octets of a packet; those of the selected field are marked. Arrow keys go from octet to octet. */
const HexView = ({ octets, mark, onOctet }: HexViewProps): ReactElement => {
  const ref = useRef<HTMLDivElement>(null);
  const shown = octets.subarray(0, MOST);
  const [at, length] = [mark?.at ?? -1, mark?.length ?? 0];
  useEffect(() => {
    keepInSight(ref.current, '.marked');
  }, [at]);
  const press = (event: KeyboardEvent): void => {
    const steps: Readonly<Record<string, number>> = {
      ArrowRight: 1,
      ArrowLeft: -1,
      ArrowDown: COLUMNS,
      ArrowUp: -COLUMNS,
    };
    const step = steps[event.key];
    if (step === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    // Forward from the last octet of what is marked.
    const from = at < 0 ? -1 : step > 0 ? at + Math.max(1, length) - 1 : at;
    onOctet(Math.max(0, Math.min(shown.length - 1, from + step)));
  };
  const isMarked = (index: number): boolean => index >= at && index < at + length;
  return (
    <div
      ref={ref}
      className="packet-octets"
      role="group"
      tabIndex={0}
      aria-label={t('Octets of the packet')}
      onKeyDown={press}
    >
      {Array.from({ length: Math.ceil(shown.length / COLUMNS) }, (_, row) => row * COLUMNS).map((start) => (
        <OctetRow key={start} start={start} octets={shown} isMarked={isMarked} onOctet={onOctet} />
      ))}
      {octets.length > MOST && (
        <p className="note">
          {t('{count, plural, one {One more octet is} other {# more octets are}} not shown.', {
            count: octets.length - MOST,
          })}
        </p>
      )}
    </div>
  );
};

interface RowProps extends Pick<HexViewProps, 'octets' | 'onOctet'> {
  readonly start: number;
  readonly isMarked: (octet: number) => boolean;
}

const OctetRow = ({ start, octets, isMarked, onOctet }: RowProps): ReactElement => {
  const cells = (say: (octet: number) => string): ReactElement[] =>
    [...octets.subarray(start, start + COLUMNS)].map((octet, index) => (
      <span
        key={index}
        className={isMarked(start + index) ? 'marked' : ''}
        data-octet={start + index}
        onClick={() => onOctet(start + index)}
      >
        {say(octet)}
      </span>
    ));
  return (
    <div className="octet-row">
      <span className="octet-place">{start.toString(16).padStart(4, '0')}</span>
      <span className="octet-numbers">{cells(two)}</span>
      <span className="octet-text" aria-hidden="true">
        {cells(character)}
      </span>
    </div>
  );
};
