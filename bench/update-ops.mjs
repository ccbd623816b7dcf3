// What the log stores for an update of a drawing.

/** Puts of one update at a position; `n` tells drawings apart. */
export const updateOps = (sizes, position, n) => {
  const key = String(position).padStart(16, '0');
  return [
    { type: 'put', key: `f/${key}`, value: 'f'.repeat(sizes.event) },
    { type: 'put', key: `p/${'0'.repeat(36)}/${key}`, value: key },
    { type: 'put', key: `o/${'0'.repeat(36)}/${key}`, value: '' },
    { type: 'put', key: `r/drawing/${n}`, value: 'r'.repeat(sizes.record) },
  ];
};
