import type { ReactElement } from 'react';
import { useScope, useView } from '../app/lab-context.tsx';
import { openPanel } from '../store/workbench.ts';
import { nameFor } from '../timeline/panes/history.ts';
import { Button } from '../ui/button.tsx';
import { t, told } from '../words/words.ts';
import type { Evidence } from './checks.ts';

/** What a verdict was found by, as far as it is known. */
export const EvidenceView = ({ evidence }: { evidence: Evidence }): ReactElement => {
  const { console, output, code, probes, state, count, frame } = evidence;
  return (
    <div className="evidence">
      {probes !== undefined && (
        <p className="wrap">
          {t('{lost} of {sent, plural, one {# probe} other {# probes}} to {to} lost', {
            lost: probes.lost,
            sent: probes.sent,
            to: probes.to,
          })}
          {probes.rtt_ms !== null && ` · ${t('answered within {ms} ms', { ms: Number(probes.rtt_ms.toFixed(2)) })}`}
          {probes.why !== null && ` · ${told(probes.why)}`}
        </p>
      )}
      {state !== undefined && <p>{t('State: {state}', { state: told(state) })}</p>}
      {count !== undefined && <p>{t('Counted: {count}', { count })}</p>}
      {frame !== undefined && <FrameView frame={frame} />}
      {console !== undefined && <Printed label={t('The console showed')} text={console} />}
      {output !== undefined && <Printed label={t('It printed')} text={output} />}
      {code !== undefined && (
        <p>{code === null ? t('It was ended by a signal') : t('It ended with {code}', { code })}</p>
      )}
    </div>
  );
};

const Printed = ({ label, text }: { label: string; text: string }): ReactElement => (
  <figure>
    <figcaption className="note">{label}</figcaption>
    <pre tabIndex={0} aria-label={label}>
      {text}
    </pre>
  </figure>
);

const FrameView = ({ frame }: { frame: NonNullable<Evidence['frame']> }): ReactElement => {
  const { workbench } = useScope();
  const { records, past } = useView();
  const { link_id: linkId, from, number, octets, head } = frame;
  const link = records.links.get(linkId);
  const octetsOf = (head.match(/../g) ?? []).join(' ');
  return (
    <>
      <p className="wrap">
        {from === null
          ? t('Frame {number} of {link}, {octets} octets', {
              ...{ number, octets },
              link: nameFor(records, 'link', linkId),
            })
          : t('Frame {number} from {from} on {link}, {octets} octets', {
              ...{ number, octets, from },
              link: nameFor(records, 'link', linkId),
            })}
      </p>
      <Printed label={t('Its first octets')} text={octetsOf} />
      {link?.capturing === true && past === null && (
        <Button icon="capture" onClick={() => workbench.update(openPanel({ kind: 'packets', linkId }))}>
          {t('Open the capture')}
        </Button>
      )}
    </>
  );
};
