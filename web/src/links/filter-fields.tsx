import { type ReactElement, type SubmitEvent, useEffect, useId, useState } from 'react';
import { ApiError } from 'topolog/client';
import { useScope, useView } from '../app/lab-context.tsx';
import { sentenceOf } from '../store/notices.ts';
import type { Link } from '../store/records.ts';
import { useStore } from '../store/use-store.ts';
import { Button } from '../ui/button.tsx';
import { t, told } from '../words/words.ts';
import {
  countOf,
  type Drafts,
  draftsOf,
  type FilterDescription,
  type Filters,
  filtersOf,
  problemOf,
  rangeOf,
  type Way,
  WAYS,
  withSwitch,
  withValue,
} from './filter-form.ts';
import { ratesOf, sayRate, trafficOf } from './traffic.ts';

interface Props {
  readonly link: Link;
  readonly descriptions: readonly FilterDescription[];
  /** How both directions are called. */
  readonly directions: readonly [string, string];
  /** An end cannot be reached. */
  readonly isAway: boolean;
}

/** A refusal of the server, and the filter it is about; null: none in particular. */
interface Problem {
  readonly type: string | null;
  readonly text: string;
}

const problemWith = (error: unknown): Problem => {
  const { field } = error instanceof ApiError ? error.details : {};
  const isRefused = error instanceof ApiError;
  const text = isRefused ? told(error.message.replace(/^The request is not valid: /, '')) : sentenceOf(error);
  return {
    type: typeof field === 'string' && field.startsWith('filters.') ? field.slice('filters.'.length) : null,
    text,
  };
};

/** A link’s filters with the parameters, units and ranges that the server says there are. */
export const FilterFields = ({ link, descriptions, directions, isAway }: Props): ReactElement => {
  const { past, ...view } = useView();
  const isReadOnly = view.isReadOnly || isAway;
  const [drafts, setDrafts] = useState<Drafts>(() => draftsOf(descriptions, link.filters));
  const [way, setWay] = useState<Way>('');
  const { set, isBusy, problem, setProblem } = useSetting(link);
  const there = JSON.stringify(link.filters);
  // Changes of other people are shown here as well.
  useEffect(() => setDrafts(draftsOf(descriptions, JSON.parse(there) as Filters)), [descriptions, there]);
  const wanted = filtersOf(descriptions, drafts);
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    if (wanted !== null) set(wanted);
  };
  return (
    <form onSubmit={submit} className="filters" noValidate>
      <Ways {...{ way, drafts, directions }} onChange={setWay} />
      {descriptions.map((description) => (
        <OneFilter
          key={`${description.type}${way}`}
          description={description}
          name={`${description.type}${way}`}
          drafts={drafts}
          isReadOnly={isReadOnly}
          problem={problem?.type === `${description.type}${way}` ? problem.text : null}
          onChange={(next) => {
            setDrafts(next);
            setProblem(null);
          }}
        />
      ))}
      {problem !== null && (
        <p role="alert" className={problem.type === null ? 'problem wrap' : 'visually-hidden'}>
          {problem.text}
        </p>
      )}
      <div className="dialog-actions">
        {past === null && <TrafficNow linkId={link.link_id} />}
        <Button disabled={isReadOnly || isBusy || there === '{}'} onClick={() => set({})}>
          {t('Remove all')}
        </Button>
        <Button
          kind="primary"
          type="submit"
          disabled={isReadOnly || isBusy || wanted === null || JSON.stringify(wanted) === there}
        >
          {t('Apply')}
        </Button>
      </div>
    </form>
  );
};

interface WaysProps {
  readonly way: Way;
  readonly drafts: Drafts;
  readonly directions: readonly [string, string];
  readonly onChange: (way: Way) => void;
}

/** Which direction the fields are about, with how many filters are on there. */
const Ways = ({ way, drafts, directions, onChange }: WaysProps): ReactElement => {
  const name = useId();
  const texts = [t('Both directions'), ...directions];
  return (
    <fieldset className="filter-ways">
      <legend className="visually-hidden">{t('Direction')}</legend>
      {WAYS.map((one, index) => {
        const count = countOf(drafts, one);
        return (
          <label key={one}>
            <input type="radio" name={name} checked={way === one} onChange={() => onChange(one)} />
            {count === 0 ? texts[index] : t('{direction} ({count})', { direction: texts[index] ?? '', count })}
          </label>
        );
      })}
      {way !== '' && <p className="note">{t('A filter of one direction takes the place of that of both.')}</p>}
    </fieldset>
  );
};

/** Sets the filters of a link. */
const useSetting = (link: Link) => {
  const { lab } = useScope();
  const [problem, setProblem] = useState<Problem | null>(null);
  const [isBusy, setBusy] = useState(false);
  const set = (filters: Filters): void => {
    setBusy(true);
    lab.client
      .put('/v2/projects/{project_id}/links/{link_id}', {
        path: { project_id: lab.projectId, link_id: link.link_id },
        body: { filters },
      })
      .then(
        () => setProblem(null),
        (error: unknown) => setProblem(problemWith(error)),
      )
      .finally(() => setBusy(false));
  };
  return { set, isBusy, problem, setProblem };
};

interface OneProps {
  readonly description: FilterDescription;
  /** Its type, with the direction. */
  readonly name: string;
  readonly drafts: Drafts;
  readonly isReadOnly: boolean;
  /** The server's refusal. */
  readonly problem: string | null;
  readonly onChange: (drafts: Drafts) => void;
}

const OneFilter = ({ description, name, drafts, isReadOnly, problem, onChange }: OneProps): ReactElement => {
  const { description: text, parameters } = description;
  const draft = drafts[name];
  const isOn = draft?.isOn === true;
  return (
    <fieldset className={`filter${isOn ? ' on' : ''}`} disabled={isReadOnly}>
      <legend>
        <label title={text}>
          <input
            type="checkbox"
            checked={isOn}
            // A control in a legend stays enabled in a disabled fieldset.
            disabled={isReadOnly}
            onChange={(event) => onChange(withSwitch(drafts, name, event.target.checked))}
          />
          {description.name}
        </label>
      </legend>
      {isOn && <p className="note">{text}</p>}
      <div className="parameters" hidden={!isOn}>
        {parameters.map((parameter, index) => (
          <ParameterField
            key={parameter.name}
            parameter={parameter}
            value={draft?.values[index] ?? ''}
            isChecked={isOn}
            isOnly={parameters.length === 1}
            said={problem}
            onChange={(value) => onChange(withValue(drafts, name, index, value))}
          />
        ))}
      </div>
    </fieldset>
  );
};

interface ParameterProps {
  readonly parameter: FilterDescription['parameters'][number];
  readonly value: string;
  readonly isChecked: boolean;
  readonly isOnly: boolean;
  readonly said: string | null;
  readonly onChange: (value: string) => void;
}

const ParameterField = ({ parameter, value, isChecked, isOnly, said, onChange }: ParameterProps): ReactElement => {
  const id = useId();
  const { name, type, minimum, maximum, unit } = parameter;
  const problem = isChecked ? (problemOf(parameter, value, isOnly) ?? said) : null;
  const common = { id, value, 'aria-invalid': problem !== null, 'aria-describedby': `${id}-note` };
  return (
    <div className="field">
      <label htmlFor={id}>{name}</label>
      {type === 'text' ? (
        <textarea {...common} rows={2} spellCheck={false} onChange={(event) => onChange(event.target.value)} />
      ) : (
        <span className="with-unit">
          <input
            {...common}
            type="number"
            min={minimum}
            max={maximum}
            step="any"
            onChange={(event) => onChange(event.target.value)}
          />
          {unit}
        </span>
      )}
      <p id={`${id}-note`} className={problem === null ? 'note' : 'problem wrap'}>
        {problem ?? rangeOf(parameter)}
      </p>
    </div>
  );
};

/** Traffic at the moment in both directions, beside the fields that change it. */
const TrafficNow = ({ linkId }: { linkId: string }): ReactElement => {
  const { lab } = useScope();
  const { frames, dropped } = useStore(trafficOf(lab), (now) => ratesOf(now, linkId));
  return (
    <span className="note traffic-now">
      {t('Now: {frames} frames/s, {lost} lost/s', {
        frames: sayRate(frames[0] + frames[1]),
        lost: sayRate(dropped[0] + dropped[1]),
      })}
    </span>
  );
};
