import type { Viewport } from '@xyflow/react';
import { fitting, ZOOM } from '../../map/flow/fit.ts';
import type { MapNode } from '../../map/flow/flow.ts';

/** Functions of a map that the other one needs. */
export interface Canvas {
  readonly getViewport: () => Viewport;
  readonly setViewport: (viewport: Viewport) => unknown;
  /** Pixels. */
  readonly size: () => { readonly width: number; readonly height: number };
}

/** Two maps that show the same part of their labs. */
export interface LinkedViews {
  /** Answers what ends it. */
  readonly join: (canvas: Canvas) => () => void;
  /** A hand has moved one: the others follow. */
  readonly moved: (by: Canvas, viewport: Viewport) => void;
  readonly pan: (dx: number, dy: number) => void;
  readonly zoom: (factor: number) => void;
  /** All of these are seen in both. */
  readonly fit: (nodes: readonly MapNode[]) => void;
}

export const createLinkedViews = (): LinkedViews => {
  const canvases = new Set<Canvas>();
  const change = (of: (viewport: Viewport, size: { width: number; height: number }) => Viewport): void => {
    const [first] = canvases;
    if (first === undefined) return;
    const next = of(first.getViewport(), first.size());
    for (const canvas of canvases) canvas.setViewport(next);
  };
  return {
    join: (canvas) => {
      const [first] = canvases;
      if (first !== undefined) canvas.setViewport(first.getViewport());
      canvases.add(canvas);
      return () => void canvases.delete(canvas);
    },
    moved: (by, viewport) => {
      for (const canvas of canvases) if (canvas !== by) canvas.setViewport(viewport);
    },
    pan: (dx, dy) => change(({ x, y, zoom }) => ({ x: x - dx, y: y - dy, zoom })),
    zoom: (factor) =>
      change(({ x, y, zoom }, { width, height }) => {
        const next = Math.max(ZOOM.min, Math.min(ZOOM.max, zoom * factor));
        const by = next / zoom;
        return { x: width / 2 - (width / 2 - x) * by, y: height / 2 - (height / 2 - y) * by, zoom: next };
      }),
    fit: (nodes) => {
      // Objects that fit into the smaller one are seen in both.
      const sizes = [...canvases].map((canvas) => canvas.size());
      const width = Math.min(...sizes.map((size) => size.width));
      const height = Math.min(...sizes.map((size) => size.height));
      if (!(width > 0) || !(height > 0) || !Number.isFinite(width)) return;
      const next = fitting(nodes, { width, height });
      if (next !== null) for (const canvas of canvases) canvas.setViewport(next);
    },
  };
};
