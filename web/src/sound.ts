// Small sounds, made here and nowhere else. Off until somebody switches them on.

import { settings } from './settings.svelte';

type Sound = 'card' | 'turn' | 'won' | 'refused' | 'over';

const notes: Record<Sound, { tones: number[]; length: number; loud: number; shape: OscillatorType }> = {
  card: { tones: [220], length: 0.05, loud: 0.12, shape: 'triangle' },
  turn: { tones: [523, 784], length: 0.16, loud: 0.16, shape: 'sine' },
  won: { tones: [392, 523, 659], length: 0.13, loud: 0.14, shape: 'sine' },
  refused: { tones: [196, 165], length: 0.12, loud: 0.14, shape: 'sine' },
  over: { tones: [523, 659, 784, 1047], length: 0.18, loud: 0.14, shape: 'sine' },
};

let audio: AudioContext | null = null;

export function play(sound: Sound): void {
  if (!settings.sounds || document.hidden || typeof AudioContext === 'undefined') return;
  audio ??= new AudioContext();
  const { tones, length, loud, shape } = notes[sound];
  tones.forEach((tone, i) => strike(audio!, tone, audio!.currentTime + i * length * 0.7, length, loud, shape));
}

function strike(
  context: AudioContext, tone: number, at: number, length: number, loud: number, shape: OscillatorType,
): void {
  const oscillator = context.createOscillator();
  const volume = context.createGain();
  oscillator.type = shape;
  oscillator.frequency.value = tone;
  volume.gain.setValueAtTime(0.0001, at);
  volume.gain.exponentialRampToValueAtTime(loud, at + 0.01);
  volume.gain.exponentialRampToValueAtTime(0.0001, at + length);
  oscillator.connect(volume).connect(context.destination);
  oscillator.start(at);
  oscillator.stop(at + length);
}
