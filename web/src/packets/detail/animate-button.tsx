import { type ReactElement, useEffect, useRef, useState } from 'react';
import { useScope, useView } from '../../app/lab-context.tsx';
import { attempt, notify } from '../../store/notices.ts';
import { IconButton } from '../../ui/button.tsx';
import { t } from '../../words/words.ts';
import { animate } from './animate.ts';
import { hopsOf } from './journey.ts';
import { type DecodedPacket, type PacketField, readJourney } from '../server.ts';

const SECONDS = [0.5, 1, 2, 5];

const every = (fields: readonly PacketField[]): readonly PacketField[] =>
  fields.flatMap((field) => [field, ...every(field.fields)]);

/** The MAC addresses of a packet, as its fields say them. */
const macsOf = ({ fields }: DecodedPacket): { from: string; to: string } => {
  const all = every(fields);
  const mac = (name: string): string =>
    /(?:[0-9a-f]{2}:){5}[0-9a-f]{2}/.exec(all.find((field) => field.name === name)?.text ?? '')?.[0] ?? '';
  return { from: mac('eth.src'), to: mac('eth.dst') };
};

/** Lets a packet go over the links of the map where it was captured, as slowly as one likes. */
export const AnimateButton = ({ capture, packet }: { capture: string; packet: DecodedPacket }): ReactElement => {
  const { lab } = useScope();
  const { records } = useView();
  const [seconds, setSeconds] = useState(1);
  const running = useRef<AbortController | null>(null);
  useEffect(() => () => running.current?.abort(), []);
  const play = (): Promise<boolean> =>
    attempt(async () => {
      running.current?.abort();
      const ending = new AbortController();
      running.current = ending;
      const hops = hopsOf(records, await readJourney(lab, capture, packet.number), macsOf(packet));
      if (hops.length === 0) notify('info', t('No link of the map has this capture any more.'));
      await animate(hops, seconds * 1000, ending.signal);
    });
  return (
    <>
      <select
        aria-label={t('Time for each link')}
        title={t('Time for each link')}
        value={seconds}
        onChange={({ target }) => setSeconds(Number(target.value))}
      >
        {SECONDS.map((one) => (
          <option key={one} value={one}>
            {t('{seconds, number} s', { seconds: one })}
          </option>
        ))}
      </select>
      <IconButton icon="play" label={t('Show on map')} onClick={() => void play()} />
    </>
  );
};
