import { type ReactElement, useEffect, useState } from 'react';
import { useScope } from '../../app/lab-context.tsx';
import { sentenceOf } from '../../store/notices.ts';
import { IconButton } from '../../ui/button.tsx';
import { t } from '../../words/words.ts';
import { AnimateButton } from './animate-button.tsx';
import { FieldTree } from './field-tree.tsx';
import { HexView } from './hex-view.tsx';
import { type DecodedBy, type DecodedPacket, octetsOf, readPacket } from '../server.ts';
import { fieldAt, fieldOfOctet } from './tree.ts';

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
