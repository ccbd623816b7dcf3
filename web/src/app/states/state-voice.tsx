import { type ReactElement, useEffect, useState } from 'react';
import { useScope } from '../lab-context.tsx';
import { statesTold } from './told.ts';

/** Nodes that start together are told together. */
const GATHER_MS = 400;

/** Tells those who do not see the map what becomes of its nodes. */
export const StateVoice = (): ReactElement => {
  const { lab } = useScope();
  const [said, setSaid] = useState({ turn: 0, text: '' });
  useEffect(() => {
    // Null: the lab is being read, and what runs was not started now.
    let known = lab.state.get().isLoaded ? lab.state.get().records.nodes : null;
    let timer: ReturnType<typeof setTimeout> | null = null;
    const tell = (): void => {
      timer = null;
      const { nodes } = lab.state.get().records;
      const text = known === null ? '' : statesTold(known, nodes);
      known = lab.state.get().isLoaded ? nodes : null;
      // The past stands still.
      if (text !== '' && lab.past.get() === null) setSaid(({ turn }) => ({ turn: turn + 1, text }));
    };
    const stop = lab.state.subscribe(() => {
      if (lab.state.get().records.nodes !== known) timer ??= setTimeout(tell, GATHER_MS);
    });
    return () => {
      stop();
      if (timer !== null) clearTimeout(timer);
    };
  }, [lab]);
  return (
    <p className="visually-hidden" role="status" data-testid="voice">
      {/* The same words again are news as well. */}
      <span key={said.turn}>{said.text}</span>
    </p>
  );
};
