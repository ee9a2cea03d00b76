/** "12.3 ms", as the console report writes durations. */
export function duration(ms) {
  if (ms >= 999.5) return `${digits(ms / 1000)} s`;
  if (ms >= 0.9995) return `${digits(ms)} ms`;
  if (ms > 0) return `${digits(ms * 1000)} us`;
  return '0 ms';
}

function digits(value) {
  return value.toFixed(value >= 99.95 ? 0 : value >= 9.995 ? 1 : 2);
}

export function bytes(count) {
  return count < 1024 ? `${count} B` : `${(count / 1024).toFixed(1)} KiB`;
}

export const plural = (count, word) => `${count} ${word}${count === 1 ? '' : 's'}`;
