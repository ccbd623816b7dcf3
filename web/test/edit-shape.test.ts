import type { MenuScope } from '../src/map/map-scope.ts';
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { editShape, readShape, resizeShape } from '../src/map/draw/edit-shape.ts';
import { meaningOf } from '../src/map/map-keys.ts';
import { editDrawing, menuOf } from '../src/map/actions/menus.ts';
import { svgOf } from '../src/map/draw/shapes.ts';
import { angleTo, between, middleOf, resized, thinned, turned } from '../src/map/draw/geometry.ts';
import { sizeOf } from '../src/map/flow/drawing-size.ts';
import type { Drawing } from '../src/store/records.ts';

const look = { width: 200, height: 100, stroke: '#457b9d', fill: '#e8f1f8', text: 'a < b\n& "c"', fontSize: 16 };
/** The first of what can be read of a drawing. */
const colours = (svg: string): object | null => {
  const shown = readShape(svg);
  return shown && { shape: shown.shape, stroke: shown.stroke, fill: shown.fill, text: shown.text };
};
const drawing = (svg: string): Drawing => ({ drawing_id: 'd', svg, locked: false }) as Drawing;

describe('the text and the colours of a drawing', () => {
  it('are read from every shape that the page makes, and changed as if it had been made so', () => {
    for (const shape of ['rectangle', 'ellipse', 'line', 'text'] as const) {
      const svg = svgOf(shape, look);
      const hasFill = shape === 'rectangle' || shape === 'ellipse';
      assert.deepEqual(colours(svg), {
        shape,
        stroke: '#457b9d',
        fill: hasFill ? '#e8f1f8' : null,
        text: shape === 'text' ? look.text : '',
      });
      assert.deepEqual(colours(editShape(svg, { stroke: '#ff0000', ...(hasFill ? { fill: null } : {}) })), {
        shape,
        stroke: '#ff0000',
        fill: null,
        text: shape === 'text' ? look.text : '',
      });
    }
  });

  it('grow with the text', () => {
    const svg = svgOf('text', { ...look, text: 'x' });
    const longer = 'longer\nand with lines';
    const sizeIn = (one: string): unknown => /width="\d+" height="\d+"/.exec(one)?.[0];
    assert.equal(sizeIn(editShape(svg, { text: longer })), sizeIn(svgOf('text', { ...look, text: longer })));
    assert.equal(readShape(editShape(svg, { text: longer }))?.text, longer);
  });

  it('of other editors keep all that was not touched', () => {
    const rect =
      '<svg height="100" width="200"><rect fill="#fff" fill-opacity="1.0" height="100" stroke="black" stroke-dasharray="5, 5" width="200" /></svg>';
    assert.deepEqual(colours(rect), { shape: 'rectangle', stroke: null, fill: '#ffffff', text: '' });
    const edited = editShape(rect, { fill: '#00ff00' });
    for (const part of ['fill="#00ff00"', 'stroke="black"', 'stroke-dasharray="5, 5"', 'fill-opacity="1.0"'])
      assert.ok(edited.includes(part), edited);
    const text =
      '<svg height="24" width="99"><text fill="#000000" font-family="TypeWriter" font-size="10.0" font-weight="bold">R1 &amp; R2</text></svg>';
    assert.equal(readShape(text)?.text, 'R1 & R2');
    const changed = editShape(text, { text: 'R3\nR4' });
    assert.match(changed, /^<svg width="\d+" height="\d+"><text [^>]*font-weight="bold">R3\nR4<\/text><\/svg>$/);
  });

  it('cannot put anything but text and colours into it', () => {
    const svg = editShape(svgOf('text', look), { text: '</text><script>x</script>', stroke: '"><script>' });
    assert.doesNotMatch(svg, /<script/);
    assert.equal(readShape(svg)?.text, '</text><script>x</script>');
  });

  it('are left alone where it is no single shape', () => {
    for (const svg of [
      '<svg><image href="data:image/png;base64,AA"/></svg>',
      '<svg><rect/><rect/></svg>',
      '<svg><rect style="fill: red"/></svg>',
      '<svg><text x="1" y="2">a</text><text x="50" y="2">b</text></svg>',
      '<svg><text>a<tspan>b</tspan></text></svg>',
      'no picture',
    ]) {
      assert.equal(readShape(svg), null, svg);
      assert.equal(editShape(svg, { stroke: '#ff0000' }), svg);
    }
  });
});

describe('the look of a drawing', () => {
  it('of a shape has lines, dashes and opacity that come back as they were set', () => {
    for (const shape of ['rectangle', 'ellipse', 'line', 'freehand'] as const) {
      const points = [
        { x: 1, y: 1 },
        { x: 50, y: 60 },
      ];
      const svg = svgOf(shape, { ...look, fill: shape === 'line' || shape === 'freehand' ? null : look.fill, points });
      const shown = readShape(editShape(svg, { lineWidth: 5, dashes: '8 4', opacity: 0.25 }));
      assert.deepEqual([shown?.shape, shown?.lineWidth, shown?.dashes, shown?.opacity], [shape, 5, '8 4', 0.25]);
      assert.equal(readShape(editShape(editShape(svg, { dashes: '8 4' }), { dashes: '' }))?.dashes, '');
    }
  });

  it('of a text has a typeface, a size, a weight and an alignment, and grows with them', () => {
    const svg = svgOf('text', { ...look, text: 'one\nlonger' });
    const edited = editShape(svg, { font: 'Georgia', fontSize: 32, isBold: true, align: 'middle' });
    const shown = readShape(edited);
    assert.deepEqual(
      [shown?.font, shown?.fontSize, shown?.isBold, shown?.align, shown?.text],
      ['Georgia', 32, true, 'middle', 'one\nlonger'],
    );
    assert.ok(sizeOf(edited).width > sizeOf(svg).width && sizeOf(edited).height > sizeOf(svg).height);
    assert.match(edited, new RegExp(`x="${sizeOf(edited).width / 2}"`));
    const other = '<svg width="99" height="24"><text font-size="10.0" font-family="TypeWriter">a\nb</text></svg>';
    assert.equal(readShape(editShape(other, { align: 'end' }))?.text, 'a\nb');
  });

  it('keeps the width of lines when it gets another size, and is stretched where it is no shape', () => {
    const from = { width: 200, height: 100 };
    const to = { width: 400, height: 50 };
    const rectangle = resizeShape(svgOf('rectangle', look), from, to);
    for (const part of [
      '<svg xmlns="http://www.w3.org/2000/svg" width="400" height="50">',
      'x="1"',
      'width="398"',
      'height="48"',
      'stroke-width="2"',
    ])
      assert.ok(rectangle.includes(part), `${part} in ${rectangle}`);
    assert.match(resizeShape(svgOf('line', { ...look, fill: null }), from, to), /x2="398" y1="0.5" y2="49.5"/);
    const picture = '<svg width="200" height="100"><image href="data:image/png;base64,AA"/></svg>';
    assert.deepEqual(sizeOf(resizeShape(picture, from, to)), to);
    assert.match(resizeShape(picture, from, to), /viewBox="0 0 200 100" preserveAspectRatio="none"/);
    const text = resizeShape(svgOf('text', look), { width: 100, height: 20 }, { width: 200, height: 40 });
    assert.equal(readShape(text)?.fontSize, 32);
  });
});

describe('the place of a drawing', () => {
  const placed = { x: 100, y: 100, width: 40, height: 20, rotation: 0 };

  it('keeps the other side where it is when a handle is dragged, also when it is turned', () => {
    assert.deepEqual(resized(placed, [1, 1], { x: 10, y: 5 }), { ...placed, width: 50, height: 25 });
    assert.deepEqual(resized(placed, [-1, 0], { x: 10, y: 5 }), { ...placed, x: 110, width: 30 });
    assert.deepEqual(resized(placed, [-1, -1], { x: 1000, y: 0 }).width, 8);
    const quarter = resized({ ...placed, rotation: 90 }, [1, 0], { x: 0, y: 10 });
    assert.deepEqual([Math.round(quarter.width), quarter.height, quarter.x, quarter.y], [50, 20, 100, 100]);
    assert.deepEqual(resized(placed, [1, 1], { x: 40, y: 0 }, true), { ...placed, width: 80, height: 40 });
  });

  it('is turned about the middle, in steps that the hand finds', () => {
    const quarter = turned(placed, 90);
    assert.deepEqual([Math.round(quarter.x), Math.round(quarter.y)], [130, 90]);
    assert.deepEqual(middleOf(quarter), { x: 120, y: 110 });
    const middle = { x: 0, y: 0 };
    assert.equal(angleTo(middle, { x: 0, y: -10 }, false), 0);
    assert.equal(angleTo(middle, { x: 10, y: 0.3 }, false), 90);
    assert.equal(angleTo(middle, { x: 100, y: 3 }, true), 92);
  });

  it('is what lies between two points, and a line by hand has no more points than it needs', () => {
    assert.deepEqual(between({ x: 10, y: 10 }, { x: 4, y: 30 }), { x: 4, y: 10, width: 6, height: 20 });
    assert.deepEqual(between({ x: 10, y: 10 }, { x: 4, y: 30 }, true), { x: -10, y: 10, width: 20, height: 20 });
    const points = Array.from({ length: 100 }, (_, x) => ({ x: x / 10, y: 0 }));
    const few = thinned(points);
    assert.ok(few.length <= 5);
    assert.deepEqual([few[0], few.at(-1)], [points[0], points.at(-1)]);
  });
});

describe('editing a drawing', () => {
  const one = drawing(svgOf('line', look));
  const scopeOf = (isReadOnly: boolean) => {
    const asked: unknown[] = [];
    return { asked, scope: { isReadOnly, ask: (what: unknown) => asked.push(what) } as unknown as MenuScope };
  };

  it('is asked for by a key and in the menu', () => {
    const key = { key: 'e', ctrlKey: false, metaKey: false, altKey: false, shiftKey: false };
    assert.deepEqual(meaningOf(key), { do: 'edit' });
    const { asked, scope } = scopeOf(false);
    const chosen = { nodes: [], links: [], drawings: [one] };
    const item = menuOf(scope, chosen, { x: 0, y: 0 }).find(({ text }) => text === 'Edit');
    assert.equal(item?.isDisabled, false);
    item?.onChoose();
    editDrawing(scope, chosen);
    assert.deepEqual(asked, Array(2).fill({ what: 'edit-drawing', drawing: one }));
  });

  it('is not possible in the past, nor of several at once', () => {
    const past = scopeOf(true);
    editDrawing(past.scope, { nodes: [], links: [], drawings: [one] });
    const { asked, scope } = scopeOf(false);
    editDrawing(scope, { nodes: [], links: [], drawings: [one, one] });
    editDrawing(scope, { nodes: [], links: [], drawings: [] });
    assert.deepEqual([...past.asked, ...asked], []);
  });
});
