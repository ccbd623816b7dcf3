import { lazy, type ReactElement, Suspense, useEffect } from 'react';
import { useScope } from '../../app/lab-context.tsx';
import { CapturePanel, PacketsPanel } from '../../packets/packets-panel.tsx';
import { SearchPanel } from '../../packets/search-panel.tsx';
import { useStore } from '../../store/use-store.ts';
import type { Panel } from '../../store/workbench.ts';
import { ConsolePanel } from '../console-panel.tsx';
import { RecordingPanel } from '../recordings/recording-panel.tsx';
import { holdConsoles } from '../screens/terminals.ts';

/** Panels that a lab has one of each, loaded with the first one. */
const OF_LAB = {
  notes: lazy(() => import('../../notes/notes-panel.tsx')),
  checks: lazy(() => import('../../checks/checks-panel.tsx')),
  weather: lazy(() => import('../../weather/weather-panel.tsx')),
};

/** Content of a panel, by its kind. */
const Panels = ({ panel }: { panel: Panel }): ReactElement => {
  useClosing();
  if (panel.kind === 'console') return <ConsolePanel nodeId={panel.nodeId} />;
  if (panel.kind === 'recording') return <RecordingPanel nodeId={panel.nodeId} name={panel.name} />;
  if (panel.kind === 'capture') return <CapturePanel capture={panel.capture} linkId={null} isCapturing={false} />;
  if (panel.kind === 'packets') return <PacketsPanel linkId={panel.linkId} />;
  if (panel.kind === 'captures') return <SearchPanel />;
  const OfLab = OF_LAB[panel.kind];
  return (
    <Suspense fallback={null}>
      <OfLab />
    </Suspense>
  );
};
export default Panels;

/** A console ends with its panel, not with where that is shown. */
const useClosing = (): void => {
  const { workbench } = useScope();
  const panels = useStore(workbench, (now) => now.panels);
  useEffect(() => holdConsoles(workbench), [workbench, panels]);
};
