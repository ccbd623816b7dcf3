import { type ReactElement, useEffect, useState } from 'react';
import { useScope } from '../app/lab-context.tsx';
import { IconButton } from '../ui/button.tsx';
import { t } from '../words/words.ts';
import './load.css';
import { loadsOf, trafficOf } from './traffic.ts';

const LINKS = '.react-flow__edge[data-id]';

/** Marks the lines of the map by attributes: figures of many links arrive each second, and no line is drawn again. */
const mark = (loads: ReadonlyMap<string, number>): void => {
  for (const line of document.querySelectorAll<SVGElement>(LINKS)) {
    const load = loads.get(line.dataset['id'] ?? '');
    if (load === undefined) delete line.dataset['load'];
    else line.dataset['load'] = String(load);
  }
};

/** Shows on the map how busy links are, by colour and by width. */
export const LoadButton = (): ReactElement => {
  const { lab } = useScope();
  const [isOn, setOn] = useState(false);
  useEffect(() => {
    if (!isOn) return undefined;
    const traffic = trafficOf(lab);
    const show = (): void => mark(loadsOf(traffic.get()));
    show();
    const end = traffic.subscribe(show);
    return () => {
      end();
      mark(new Map());
    };
  }, [lab, isOn]);
  return (
    <IconButton icon="traffic" label={t('Show how busy links are')} aria-pressed={isOn} onClick={() => setOn(!isOn)} />
  );
};
