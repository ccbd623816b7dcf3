import { type ReactElement, useEffect, useState } from 'react';
import { useScope } from '../app/lab-context.tsx';
import { sentenceOf } from '../store/notices.ts';
import { Button } from '../ui/button.tsx';
import { t } from '../words/words.ts';
import { type Followed, octetsOf, readFollowed } from './server.ts';

interface Props {
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

/** What both ends of a conversation say. */
export const FollowedView = ({ capture, number, onClose }: Props): ReactElement => {
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
