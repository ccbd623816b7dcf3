import { type ReactElement, useEffect, useState } from 'react';
import { useScope, useView } from '../app/lab-context.tsx';
import { attempt, notify } from '../store/notices.ts';
import { openPanel, openSheet } from '../store/workbench.ts';
import { timeLineOf } from '../timeline/controller.ts';
import { nameFor } from '../timeline/panes/history.ts';
import { sayClock } from '../words/format.ts';
import { Button, IconButton } from '../ui/button.tsx';
import { Icon, type IconName } from '../ui/icon.tsx';
import { t, told, toldTitle } from '../words/words.ts';
import {
  type Check,
  deleteCheck,
  type Evidence,
  type Finding,
  lookAt,
  readEvidence,
  readLastText,
  saySince,
  type Standing,
  standingOf,
} from './checks.ts';

const ICONS: Readonly<Record<Standing, IconName>> = { met: 'check', broken: 'close', waiting: 'more', idle: 'minus' };

interface Props {
  readonly check: Check;
  readonly isOpen: boolean;
  readonly onOpen: (isOpen: boolean) => void;
  readonly onPoint: (isPointed: boolean) => void;
  readonly onEdit: () => void;
}

/** One check: what it wants, whether that holds; opened, how one knows. */
export const CheckRow = ({ check, isOpen, onOpen, onPoint, onEdit }: Props): ReactElement => {
  const { lab } = useScope();
  const { isReadOnly, past } = useView();
  const [found, setFound] = useState<Finding | null>(null);
  const standing = standingOf(check);
  const title = toldTitle(check.title);
  const look = (): Promise<boolean> =>
    attempt(async () => {
      setFound(await lookAt(lab, check));
      onOpen(true);
    });
  return (
    <li
      className={`check ${standing}${check.result.running ? '' : ' still'}`}
      onPointerEnter={() => onPoint(true)}
      onPointerLeave={() => onPoint(false)}
      onFocus={() => onPoint(true)}
      onBlur={() => onPoint(false)}
    >
      <div className="check-line">
        <button type="button" className="check-head" aria-expanded={isOpen} onClick={() => onOpen(!isOpen)}>
          <span className="check-mark">
            <Icon name={ICONS[standing]} />
          </span>
          <span className="check-title wrap">{title}</span>
          <span className="note">{saySince(check, sayClock)}</span>
        </button>
        <IconButton
          icon="eye"
          label={t('Look now: {title}', { title })}
          disabled={past !== null || isReadOnly}
          onClick={() => void look()}
        />
        <IconButton icon="edit" label={t('Change {name}', { name: title })} disabled={isReadOnly} onClick={onEdit} />
        <IconButton
          icon="delete"
          label={t('Delete {name}', { name: title })}
          disabled={isReadOnly}
          onClick={() =>
            void attempt(() => deleteCheck(lab, check)).then((worked) => {
              if (worked) notify('success', t('{name} is deleted.', { name: title }));
            })
          }
        />
      </div>
      {isOpen && <CheckDetails check={check} found={found} />}
    </li>
  );
};

/** The last finding of a check, with buttons that go on from there. */
const CheckDetails = ({ check, found }: { check: Check; found: Finding | null }): ReactElement => {
  const { lab, workbench } = useScope();
  const { at, text, broken } = check.result;
  const evidence = useEvidence(check);
  const last = useLastText(check);
  const between = check.reach ?? check.loss;
  return (
    <div className="check-details">
      {found !== null && (
        <div className="check-found" role="status">
          <p className="wrap">
            <strong>
              {found.holds === null ? t('Nobody can say now') : found.holds ? t('It holds now') : t('It does not hold')}
            </strong>
            {`: ${told(found.text)}`}
          </p>
          <EvidenceView evidence={found.evidence} />
        </div>
      )}
      {text !== null && <p className="wrap">{told(text)}</p>}
      {evidence !== null && <EvidenceView evidence={evidence} />}
      {last !== null && <p className="wrap">{t('At the last look: {found}', { found: told(last) })}</p>}
      {broken > 1 && (
        <p className="note">
          {t('Broken {count, plural, one {# time} other {# times}} in this run', { count: broken })}
        </p>
      )}
      <p className="row">
        {at !== null && (
          <Button icon="history" onClick={() => timeLineOf(lab).goTo(Date.parse(at))}>
            {t('Show this moment')}
          </Button>
        )}
        {between !== undefined && (
          <Button
            icon="why"
            onClick={() => workbench.update(openSheet({ kind: 'why', from: between.from, to: between.to }))}
          >
            {t('Why?')}
          </Button>
        )}
        {at === null && found === null && <span className="note">{t('Nothing is known of it yet.')}</span>}
      </p>
    </div>
  );
};

/** Read when the check is opened, and with each verdict: looks that change nothing are told by no event. */
const useLastText = (check: Check): string | null => {
  const { lab } = useScope();
  const { past } = useView();
  const [last, setLast] = useState<string | null>(null);
  useEffect(() => {
    setLast(null);
    if (past !== null) return undefined;
    const ending = new AbortController();
    readLastText(lab, check, ending.signal).then(setLast, () => undefined);
    return () => ending.abort();
  }, [lab, check, past]);
  return last;
};

const useEvidence = ({ result: { position } }: Check): Evidence | null => {
  const { lab } = useScope();
  const [evidence, setEvidence] = useState<Evidence | null>(null);
  useEffect(() => {
    setEvidence(null);
    if (position === null) return undefined;
    const ending = new AbortController();
    readEvidence(lab, position, ending.signal).then(setEvidence, () => undefined);
    return () => ending.abort();
  }, [lab, position]);
  return evidence;
};

/** Evidence of a verdict, as far as it is known. */
const EvidenceView = ({ evidence }: { evidence: Evidence }): ReactElement => {
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
              number,
              octets,
              link: nameFor(records, 'link', linkId),
            })
          : t('Frame {number} from {from} on {link}, {octets} octets', {
              number,
              octets,
              from,
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
