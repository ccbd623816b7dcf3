import { type Dispatch, type SetStateAction, useEffect, useRef, useState } from 'react';
import { useScope, useView } from '../../app/lab-context.tsx';
import type { Lab } from '../../store/lab.ts';
import { sentenceOf } from '../../store/notices.ts';
import { type Agreed, agreedOf, type Draft, draftOf, isSame, valueOf } from '../form/values.ts';
import { apply, applyStopped, type Edit, type Outcome, readText } from './apply.ts';
import { type Place, recordOf, type Target, valueIn } from './targets.ts';

/** A field while it is edited. */
export interface Editing {
  readonly agreed: Agreed;
  /** Draft in the field; null: the records' values differ, and nobody has typed. */
  readonly draft: Draft | null;
  readonly isDirty: boolean;
  readonly isBusy: boolean;
  readonly isReadOnly: boolean;
  readonly problem: string | null;
  /** It was changed by somebody else while it was edited here. */
  readonly conflict: { readonly theirs: unknown } | null;
  /** Some of them run, and it can only be changed while they are stopped. */
  readonly mustStop: boolean;
  readonly change: (draft: Draft) => void;
  /** Changes the records. `draft`: this one rather than what stands in the field. */
  readonly commit: (draft?: Draft) => void;
  readonly commitStopped: () => void;
  /** Changes them whatever somebody else has done. */
  readonly commitOver: () => void;
  readonly revert: () => void;
  /** Sets a value that it has had. */
  readonly restore: (value: unknown) => void;
}

interface State {
  readonly draft: Draft | null;
  readonly base: ReadonlyMap<string, unknown>;
  readonly problem: string | null;
  readonly theirs: { readonly value: unknown } | null;
  readonly mustStop: boolean;
  readonly isBusy: boolean;
}
const CLEAN: State = { draft: null, base: new Map(), problem: null, theirs: null, mustStop: false, isBusy: false };

/** The texts of files, by node; they are in no record. */
const useTexts = (lab: Lab, { spec: { file } }: Place, targets: readonly Target[], turn: number) => {
  const [texts, setTexts] = useState<ReadonlyMap<string, string>>(new Map());
  const key = targets.map(({ id }) => id).join(' ');
  useEffect(() => {
    if (file === null) return undefined;
    const ending = new AbortController();
    const ids = key.split(' ');
    Promise.all(ids.map((id) => readText(lab, id, file, ending.signal))).then(
      (read) => setTexts(new Map(ids.map((id, index) => [id, read[index] ?? '']))),
      // A node that never ran may have no directory yet: it is empty then.
      () => undefined,
    );
    return () => ending.abort();
  }, [lab, file, key, turn]);
  return texts;
};

/** The records' present values. */
interface Now {
  readonly values: ReadonlyMap<string, unknown>;
  readonly agreed: Agreed;
  /** As it is edited; null: they differ. */
  readonly shown: Draft | null;
  /** Some of them do not stand still. */
  readonly runs: boolean;
}

const useNow = (place: Place, targets: readonly Target[], turn: number): Now => {
  const { lab } = useScope();
  const { records } = useView();
  const texts = useTexts(lab, place, targets, turn);
  const { spec } = place;
  const valueOfOne = (target: Target): unknown =>
    spec.file === null ? valueIn(place, recordOf(records, target)) : (texts.get(target.id) ?? '');
  const values = new Map(targets.map((target) => [target.id, valueOfOne(target)]));
  const agreed = agreedOf([...values.values()]);
  const runs = targets.some(
    ({ collection, id }) => collection === 'node' && (records.nodes.get(id)?.status ?? 'stopped') !== 'stopped',
  );
  return { values, agreed, shown: agreed.isMixed ? null : draftOf(spec, agreed.value), runs };
};

type Send = (how: (lab: Lab, edit: Edit) => Promise<Outcome>, draft: Draft, base: State['base']) => void;

/** Sends a draft, and keeps it for as long as it is not taken. */
const useSend = (
  place: Place,
  targets: readonly Target[],
  setState: Dispatch<SetStateAction<State>>,
  onSent: () => void,
): Send => {
  const { lab } = useScope();
  /** One after the other: requests of a browser can overtake each other. */
  const last = useRef<Promise<void>>(Promise.resolve());
  const count = useRef(0);
  return (how, draft, base) => {
    const put = (part: Partial<State>): void => setState((before) => ({ ...before, ...part }));
    let value: unknown;
    try {
      value = valueOf(place.spec, draft);
    } catch (problem) {
      put({ draft, base, problem: sentenceOf(problem) });
      return;
    }
    put({ draft, base, isBusy: true, problem: null, mustStop: false });
    const number = ++count.current;
    const work = last.current.then(() => how(lab, { place, targets, value, base }));
    last.current = work.then(
      (outcome) => {
        onSent();
        if (number !== count.current) return;
        if (outcome.what === 'done') setState(CLEAN);
        else put({ isBusy: false, theirs: { value: outcome.theirs } });
      },
      (problem: unknown) => put({ isBusy: false, problem: sentenceOf(problem) }),
    );
  };
};

/** Value that somebody else has set since the editing began; null: none. */
const theirsIn = ({ base, theirs }: State, { values }: Now): State['theirs'] => {
  const other = [...base].find(([id, value]) => values.has(id) && !isSame(values.get(id), value));
  return other === undefined ? theirs : { value: values.get(other[0]) };
};

export const useEdit = (place: Place, targets: readonly Target[]): Editing => {
  const { isReadOnly } = useView();
  const [state, setState] = useState(CLEAN);
  const [turn, setTurn] = useState(0);
  const now = useNow(place, targets, turn);
  const send = useSend(place, targets, setState, () => setTurn((before) => before + 1));
  const put = (part: Partial<State>): void => setState((before) => ({ ...before, ...part }));
  const { spec } = place;
  const { draft: typed, base } = state;
  const begin = (): State['base'] => (typed === null ? now.values : base);
  const theirs = theirsIn(state, now);
  const waits = spec.needsStop && now.runs;
  const commit = (given?: Draft): void => {
    const draft = given ?? typed;
    // A value that somebody else has set is decided on first.
    if (draft === null || (typed !== null && !state.isBusy && theirs !== null)) return;
    if (state.isBusy && typed !== null) {
      // The value that is being sent is there by then.
      const asked = valueOf(spec, typed);
      if (!isSame(draft, typed)) send(apply, draft, new Map(targets.map(({ id }) => [id, asked])));
    } else if (now.shown !== null && isSame(draft, now.shown)) setState(CLEAN);
    else if (waits) put({ draft, base: begin(), mustStop: true });
    else send(apply, draft, begin());
  };
  return {
    agreed: now.agreed,
    draft: typed ?? now.shown,
    isDirty: typed !== null,
    isBusy: state.isBusy,
    isReadOnly,
    problem: state.problem,
    conflict: typed === null || state.isBusy || theirs === null ? null : { theirs: theirs.value },
    mustStop: state.mustStop,
    change: (draft) => put({ draft, base: begin(), problem: null, mustStop: false }),
    commit,
    commitStopped: () => {
      if (typed !== null) send(applyStopped, typed, base);
    },
    commitOver: () => {
      if (typed === null) return;
      // The server's answer may be newer than the last event.
      const told =
        targets.length === 1 && theirs !== null ? new Map(targets.map(({ id }) => [id, theirs.value])) : null;
      put({ theirs: null, base: told ?? now.values, mustStop: waits });
      if (!waits) send(apply, typed, told ?? now.values);
    },
    revert: () => setState(CLEAN),
    restore: (value) => commit(draftOf(spec, value)),
  };
};
