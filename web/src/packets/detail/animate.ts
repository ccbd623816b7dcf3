import type { Hop } from './journey.ts';

const SVG = 'http://www.w3.org/2000/svg';
const RADIUS = '7';

const lineOf = (linkId: string): SVGPathElement | null =>
  document.querySelector<SVGPathElement>(
    `.react-flow__edge[data-id="${CSS.escape(linkId)}"] path.react-flow__edge-path`,
  );

const nextFrame = (): Promise<number> => new Promise((resolve) => requestAnimationFrame(resolve));

/** A dot goes over the lines of the map, one after the other. Who asked for less motion sees it in the middle of each. */
export const animate = async (hops: readonly Hop[], duration: number, signal: AbortSignal): Promise<void> => {
  const isStill = matchMedia('(prefers-reduced-motion: reduce)').matches;
  for (const { linkId, isBack } of hops) {
    const line = lineOf(linkId);
    if (line === null || signal.aborted) continue;
    const dot = document.createElementNS(SVG, 'circle');
    dot.setAttribute('class', 'packet-dot');
    dot.setAttribute('r', RADIUS);
    dot.dataset['link'] = linkId;
    line.parentElement?.append(dot);
    try {
      const begin = await nextFrame();
      for (let now = begin; now < begin + duration && !signal.aborted; now = await nextFrame()) {
        const share = isStill ? 0.5 : Math.max(0, (now - begin) / duration);
        const { x, y } = line.getPointAtLength(line.getTotalLength() * (isBack ? 1 - share : share));
        dot.setAttribute('cx', String(x));
        dot.setAttribute('cy', String(y));
      }
    } finally {
      dot.remove();
    }
  }
};
