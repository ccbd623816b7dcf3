import { type ReactElement, type ReactNode, useEffect, useRef, useState } from 'react';
import { ScreenTools, ScreenView } from '../screens/screen-view.tsx';
import { createScreen, type Screen } from '../screens/screen.ts';
import { type Cast, outputBetween } from './cast.ts';

interface Props {
  readonly cast: Cast;
  /** Seconds from its beginning. */
  readonly at: number;
  readonly label: string;
  readonly children: ReactNode;
  readonly buttons?: ReactNode;
}

/** The screen as a recording had it at a time. Going on it prints what was added, going back it starts over. */
export const CastScreen = ({ cast, at, label, children, buttons }: Props): ReactElement => {
  const [screen, setScreen] = useState<Screen | null>(null);
  const shown = useRef<{ cast: Cast; at: number } | null>(null);
  const { cols, rows } = cast;
  useEffect(() => {
    const made = createScreen({ label, size: { cols, rows }, isReadOnly: true });
    // Nobody types there: Tab goes on.
    made.terminal.attachCustomKeyEventHandler(({ key }) => key !== 'Tab');
    shown.current = null;
    setScreen(made);
    return () => made.dispose();
  }, [label, cols, rows]);
  useEffect(() => {
    if (screen === null) return;
    const before = shown.current;
    const goesOn = before?.cast === cast && before.at <= at;
    if (!goesOn) screen.terminal.reset();
    screen.terminal.write(outputBetween(cast, goesOn ? before.at : -1, at));
    shown.current = { cast, at };
  }, [screen, cast, at]);
  return (
    <>
      <ScreenTools screen={screen} name={label} buttons={buttons} isReadOnly>
        {children}
      </ScreenTools>
      {screen !== null && <ScreenView screen={screen} />}
    </>
  );
};
