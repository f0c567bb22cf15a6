import { mount } from 'svelte';
import App from './App.svelte';
import './app.css';
import { speak } from './say.svelte';
import { settings } from './settings.svelte';

await speak(settings.lang);
mount(App, { target: document.getElementById('page')! });
