import { type KeyboardEvent, type ReactElement, useEffect, useRef } from 'react';
import { keepInSight } from './keep-in-sight.ts';
import { t } from '../../words/words.ts';

const COLUMNS = 8;
/** More are not drawn. */
const MOST = 4096;

interface Props {
  readonly octets: Uint8Array;
  readonly mark: { readonly at: number; readonly length: number } | null;
  readonly onOctet: (octet: number) => void;
}

const two = (octet: number): string => octet.toString(16).padStart(2, '0');
const character = (octet: number): string => (octet > 31 && octet < 127 ? String.fromCharCode(octet) : '·');

/** Octets of a packet; those of the selected field are marked. Arrow keys go from octet to octet. */
export const HexView = ({ octets, mark, onOctet }: Props): ReactElement => {
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

interface RowProps extends Pick<Props, 'octets' | 'onOctet'> {
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
