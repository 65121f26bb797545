"""Conversations held without people: cases in files, run on the real engine, and what is made of them.

Scripts are driven as sessions drive them; where a model is scripted, recorded or live, prompts are rendered and answers
read and checked as they are in a session. Only whoever answers is another.
"""
